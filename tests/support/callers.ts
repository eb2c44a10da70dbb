import { newApiToken } from '../../src/auth/api-token.ts'
import type { InboxGrant, Permission } from '../../src/auth/permissions.ts'
import { createSession, hashToken, type SignedInUser } from '../../src/auth/session.ts'
import { newId } from '../../src/database/id.ts'
import { createPending, newStoredCode } from '../../src/features/sign-in/store.server.ts'
import type { Access, Endpoint, TokenAuth } from '../../src/http/endpoint.ts'
import { hours, isoAfter, minutes } from '../../src/platform/clock.ts'
import type { TestApp } from './test-app.ts'

/** What comes of a caller before the call itself is looked at. */
type Outcome = 'let in' | '401' | '403' | '403 session_required'

export type Callers = Record<
  string,
  {
    /** What its requests carry, created again for each cell: some calls end a session or use up a limit. */
    show(): Promise<{ cookie?: [name: string, value: string]; token?: string }>
    outcome(access: Access, bearer: TokenAuth): Outcome
  }
>

/** The table of permissions, written here again so that a slip in the other one shows. */
const all: readonly Permission[] = [
  ...(['content:read', 'content:edit', 'inbox:read', 'inbox:answer', 'inbox:manage'] as const),
  ...(['users', 'settings', 'tokens', 'webhooks', 'logs'] as const),
]
export const staff: readonly {
  name: string
  role: SignedInUser['role']
  inbox: InboxGrant
  may: readonly Permission[]
}[] = [
  { name: 'a viewer', role: 'viewer', inbox: 'none', may: ['content:read'] },
  { name: 'a viewer who may read', role: 'viewer', inbox: 'read', may: ['content:read', 'inbox:read'] },
  {
    ...{ name: 'a viewer who may answer', role: 'viewer', inbox: 'answer' },
    may: ['content:read', 'inbox:read', 'inbox:answer'],
  },
  { name: 'an editor', role: 'editor', inbox: 'none', may: ['content:read', 'content:edit'] },
  {
    ...{ name: 'an editor who may read', role: 'editor', inbox: 'read' },
    may: ['content:read', 'content:edit', 'inbox:read'],
  },
  {
    ...{ name: 'an editor who may answer', role: 'editor', inbox: 'answer' },
    may: ['content:read', 'content:edit', 'inbox:read', 'inbox:answer'],
  },
  { name: 'an admin', role: 'admin', inbox: 'none', may: all },
]
type Show = Callers[string]['show']
type Staff = (typeof staff)[number]

/** Everybody who may call, or not, and what should come of it. */
export function openCallers(testApp: TestApp) {
  const { db, clock } = testApp.services

  /** Without a password: what matters here comes after it. */
  async function hire({ role, inbox }: Pick<Staff, 'role' | 'inbox'>): Promise<string> {
    const id = newId(clock())
    const times = { created_at: isoAfter(clock), locked_until: null }
    const account = { email: `${id}@agency.test`, name: 'Robin', role, inbox, password_hash: '' }
    await db
      .insertInto('users')
      .values({ id, ...account, ...times, is_default: 0, email_verified: 1 })
      .execute()
    return id
  }

  const admin = { role: 'admin', inbox: 'none' } as const

  async function signedIn(who: Pick<Staff, 'role' | 'inbox'>) {
    return { cookie: ['session', await createSession(db, clock, await hire(who), '')] as [string, string] }
  }

  async function withToken(who: Pick<Staff, 'role' | 'inbox'>, expiresIn = hours(1)) {
    const token = newApiToken('api')
    const times = { created_at: isoAfter(clock), expires_at: isoAfter(clock, expiresIn) }
    const ids = { id: newId(clock()), token_hash: hashToken(token), user_id: await hire(who) }
    await db
      .insertInto('api_tokens')
      .values({ ...ids, ...times, description: 'x', token_type: 'api' })
      .execute()
    return { token }
  }

  const outcomeFor = ({ may }: Staff, access: Access): Outcome =>
    ['public', 'signed-in', ...may].includes(access) ? 'let in' : '403'
  const bySession = (who: Staff) => ({
    show: async () => await signedIn(who),
    outcome: (access: Access) => (access === 'pending' ? '401' : outcomeFor(who, access)),
  })
  const byToken = (who: Staff) => ({
    show: async () => await withToken(who),
    outcome: (access: Access, bearer: TokenAuth) =>
      access === 'pending' || bearer === 'denied' ? '403 session_required' : outcomeFor(who, access),
  })
  const likeNobody = (access: Access): Outcome => (access === 'public' ? 'let in' : '401')
  const refused = (): Outcome => '401'

  const callers: Callers = {
    nobody: { show: async () => ({}), outcome: likeNobody },
    'somebody before the code': {
      show: async () => ({
        cookie: ['pending', await createPending(db, clock, await hire(admin), newStoredCode(clock, 'x'))],
      }),
      outcome: access => (access === 'pending' ? 'let in' : likeNobody(access)),
    },
    ...Object.fromEntries(staff.map(who => [who.name, bySession(who)])),
    ...Object.fromEntries(staff.map(who => [`a program with the token of ${who.name}`, byToken(who)])),
    'an admin whose session is over': {
      async show() {
        const shown = await signedIn(admin)
        await db
          .updateTable('sessions')
          .set({ last_seen_at: isoAfter(clock, -minutes(61)) })
          .where('token_hash', '=', hashToken(shown.cookie[1]))
          .execute()
        return shown
      },
      outcome: likeNobody,
    },
    'a program with a revoked token': { show: async () => ({ token: newApiToken('api') }), outcome: refused },
    'a program with an expired token': {
      show: async () => await withToken(admin, -1),
      outcome: refused,
    },
  }

  /** Sends a call as its caller would: with ids of nothing, and for the rest what its contract does not take. */
  async function send({ method, path }: Endpoint, { cookie, token }: Awaited<ReturnType<Show>>) {
    const browser = testApp.browser()
    if (cookie) browser.cookies.set(`__Host-${cookie[0]}`, cookie[1])
    const address = path.replace(/:\w+/g, () => newId(clock()))
    if (token) return await browser.fetch(address, { method, headers: { authorization: `Bearer ${token}` } })
    return method === 'GET' ? await browser.fetch(address) : await browser.send(method, address)
  }

  return { callers, send, signedIn, withToken }
}
