import type { SignedInUser } from '../../src/auth/session.ts'
import { apiTokens, type NewApiToken } from '../../src/features/api-tokens/contract.ts'
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

/** A program somewhere on the internet: no cookies, no origin, a token. */
export type TokenClient = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>

export function createTokenClient(
  { app, services }: Pick<TestApp, 'app' | 'services'>,
  token: string,
): TokenClient {
  return async (method, path, body, headers = {}) => {
    const text = body === undefined ? null : JSON.stringify(body)
    const own = {
      authorization: `Bearer ${token}`,
      ...(text && { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }),
    }
    const init = { method, headers: { ...own, ...headers }, body: text }
    return await app.fetch(new Request(`${services.config.publicUrl}${path}`, init), { peer: '192.0.2.77' })
  }
}

/** Has an admin make a token that speaks for a user. */
export async function createToken(
  admin: Browser,
  { id: userId }: Pick<SignedInUser, 'id'>,
): Promise<NewApiToken> {
  const wish = { userId, description: 'A program', expiresInDays: 90, tokenType: 'api' } as const
  return (await admin.call(apiTokens.create, wish)).token
}
