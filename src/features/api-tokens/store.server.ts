import { newApiToken } from '../../auth/api-token.ts'
import { hashToken } from '../../auth/token.ts'
import { type Clock, days, isoAfter } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import type { Database } from '../../database/tables.ts'
import type { ApiToken, CreateToken, NewApiToken } from './contract.ts'

export async function isUser(db: Database, id: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** A user's tokens, newest first. Expired ones are listed until they are revoked. */
export async function listTokens(db: Database, userId: string): Promise<ApiToken[]> {
  return await db
    .selectFrom('api_tokens')
    .select(['id', 'description', 'token_type', 'last_used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** @returns a new token with its secret, of which the database keeps only the hash. */
export async function insertToken(
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

/** Deletes a token. @returns the id of its user; undefined when there is no such token. */
export async function revokeToken(db: Database, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .returning('user_id as ownerId')
    .executeTakeFirst()
  return row?.ownerId
}
