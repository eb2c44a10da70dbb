import type { SignedInUser } from '../../src/auth/session.ts'
import { apiTokens, type NewApiToken } from '../../src/features/api-tokens/contract.ts'
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

/** An API client somewhere on the internet: a token, but no cookies and no origin. */
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
    const ownHeaders = {
      authorization: `Bearer ${token}`,
      ...(text && { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }),
    }
    const init = { method, headers: { ...ownHeaders, ...headers }, body: text }
    return await app.fetch(new Request(`${services.config.publicUrl}${path}`, init), { peer: '192.0.2.77' })
  }
}

/** Creates a token of a user, as an admin. */
export async function createToken(
  admin: Browser,
  { id: userId }: Pick<SignedInUser, 'id'>,
): Promise<NewApiToken> {
  const input = { userId, description: 'A program', expiresInDays: 90, tokenType: 'api' } as const
  return (await admin.call(apiTokens.create, input)).token
}

/** A token of a user, and a program that uses it. */
export async function startProgram(testApp: TestApp, admin: Browser, user: Pick<SignedInUser, 'id'>) {
  const created = await createToken(admin, user)
  return { ...created, client: createTokenClient(testApp, created.token) }
}
