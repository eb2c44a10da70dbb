import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeApi } from '../../http/openapi.ts'
import type { OpenApiDocument } from '../../http/openapi-document.ts'
import { apiReference, apiTokens } from './contract.ts'
import { createTokenFor } from './create-token.server.ts'
import { isUser, listTokens, revokeToken } from './store.server.ts'

const NO_USER = 'This user no longer exists'

/** The calls for API tokens, with which programs act as a user. */
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

/** Serves the API reference as OpenAPI. */
export function serveReference(router: ApiRouter): void {
  // Created at the first request: by then every call is registered.
  let reference: OpenApiDocument | undefined
  serve(router, apiReference.read, async () => {
    reference ??= describeApi(router.served, router.services.config.publicUrl)
    return reference
  })
}
