import { readSignature } from '../../auth/account-emails.ts'
import { newApiToken } from '../../auth/api-token.ts'
import { lockUser } from '../../auth/lock-user.ts'
import {
  type AdminCall,
  assertStillAdmin,
  consumeNotification,
  notifyAdmins,
} from '../../auth/notify-admins.ts'
import { hashToken } from '../../auth/session.ts'
import { newId } from '../../database/id.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, serve, serveShared } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeApi } from '../../http/openapi/openapi.ts'
import { type Clock, days, isoAfter } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import {
  type ApiToken,
  apiReference,
  apiTokens,
  type CreateToken,
  MAX_TOKENS,
  type NewApiToken,
  typeLabels,
} from './contract.ts'

const NO_USER = 'This user no longer exists'

export function serveApiTokens(router: ApiRouter): void {
  const { services } = router
  const { db } = services

  serve(router, apiTokens.list, async ({ userId }) => {
    if (!(await isUser(db, userId))) throwHttpError(404, NO_USER)
    return { tokens: await listTokens(db, userId) }
  })

  serve(router, apiTokens.create, async (input, call) => {
    const token = (await createTokenFor(services, input, call)) ?? throwHttpError(404, NO_USER)
    const { id: tokenId, token_type: tokenType, expires_at: expiresAt } = token
    call.log('info', 'Auth', 'API token created', {
      tokenId,
      tokenType,
      expiresAt,
      ownerId: input.userId,
    })
    return { token }
  })

  serve(router, apiTokens.revoke, async ({ tokenId }, { log }) => {
    const ownerId = (await revokeToken(db, tokenId)) ?? throwHttpError(404, 'This token no longer exists')
    log('info', 'Auth', 'API token revoked', { tokenId, ownerId })
    return {}
  })
}

/** Serves the API reference as OpenAPI. It is created at the first request: by then every call is registered. */
export function serveReference(router: ApiRouter): void {
  let reference: ReturnType<typeof describeApi> | undefined
  serveShared(router, apiReference.read, async () => {
    reference ??= describeApi(router.served, router.services.config.publicUrl)
    return await reference
  })
}

/**
 * Creates a token and notifies every admin. @returns the token with its secret, of which the database keeps only the
 * hash; null when there is no such user: another admin may delete them at the same moment. @throws {HttpError} 409
 */
async function createTokenFor(services: Services, input: CreateToken, call: AdminCall) {
  const { db, clock } = services
  await consumeNotification(services, call)
  const signature = await readSignature(services)
  return await inTransaction(db, async transaction => {
    const owner = await lockUser(transaction, input.userId)
    if (!owner) return null
    await assertStillAdmin(transaction, call)
    if ((await listTokens(transaction, owner.id)).length >= MAX_TOKENS)
      throwHttpError(409, `${owner.name} has ${MAX_TOKENS} tokens already. Revoke one first.`)
    const token = await insertToken(transaction, clock, input)
    const { labels, sensitiveChange } = signature.texts.emails
    const facts = [
      [labels.actsAs, `${owner.name} <${owner.email}>`],
      [labels.description, token.description],
      [labels.type, typeLabels[token.token_type]],
      [labels.expires, `${token.expires_at.slice(0, 10)} UTC`],
    ] as const
    const change = { what: sensitiveChange.tokenCreated, facts }
    await notifyAdmins(services, transaction, call, change, signature)
    return token
  })
}

async function isUser(db: Database, id: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** A user's tokens, newest first. Expired ones are listed until they are revoked. */
async function listTokens(db: Database, userId: string): Promise<ApiToken[]> {
  return await db
    .selectFrom('api_tokens')
    .select(['id', 'description', 'token_type', 'last_used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

async function insertToken(
  transaction: Database,
  clock: Clock,
  { userId, description, expiresInDays, tokenType }: CreateToken,
): Promise<NewApiToken> {
  const token = newApiToken(tokenType)
  const row = {
    id: newId(clock()),
    description,
    token_type: tokenType,
    expires_at: isoAfter(clock, days(expiresInDays)),
  }
  await transaction
    .insertInto('api_tokens')
    .values({ ...row, token_hash: hashToken(token), user_id: userId, created_at: isoAfter(clock) })
    .execute()
  return { ...row, token }
}

async function revokeToken(db: Database, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .returning('user_id as ownerId')
    .executeTakeFirst()
  return row?.ownerId
}
