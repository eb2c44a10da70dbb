import { describeApi } from '../../http/openapi.ts'
import type { OpenApiDocument } from '../../http/openapi-document.ts'
import { refuse } from '../../http/problem.ts'
import { type Door, serve } from '../../http/serve.ts'
import { apiReference, apiTokens } from './contract.ts'
import { makeToken } from './make-token.server.ts'
import { isUser, listTokens, revokeToken } from './store.server.ts'

const NO_USER = 'This user no longer exists'

/** The tokens with which programs call in the name of a user. */
export function serveApiTokens(door: Door): void {
  const { services } = door
  const { db } = services

  serve(door, apiTokens.list, async ({ userId }) => {
    if (!(await isUser(db, userId))) refuse(404, NO_USER)
    return { tokens: await listTokens(db, userId) }
  })

  serve(door, apiTokens.create, async (wish, call) => {
    const token = (await makeToken(services, wish, call)) ?? refuse(404, NO_USER)
    const { id: tokenId, token_type: tokenType, expires_at: expiresAt } = token
    call.log('info', 'Auth', 'An API token was created', {
      tokenId,
      tokenType,
      expiresAt,
      ownerId: wish.userId,
    })
    return { token }
  })

  serve(door, apiTokens.revoke, async ({ tokenId }, { log }) => {
    const ownerId = (await revokeToken(db, tokenId)) ?? refuse(404, 'This token no longer exists')
    log('info', 'Auth', 'An API token was revoked', { tokenId, ownerId })
    return {}
  })
}

/** What all calls of this door take and answer. */
export function serveReference(door: Door): void {
  // Made with the first question: only then is every call served.
  let reference: OpenApiDocument | undefined
  serve(door, apiReference.read, async () => {
    reference ??= describeApi(door.served, door.services.config.publicUrl)
    return reference
  })
}
