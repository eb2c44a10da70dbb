import { permissionsOf } from '../../src/auth/permissions.ts'
import { newId } from '../../src/database/id.ts'
import { type ApiToken, apiTokens } from '../../src/features/api-tokens/contract.ts'
import { type Dashboard, dashboard, figures } from '../../src/features/dashboard/contract.ts'
import { profile } from '../../src/features/profile/contract.ts'
import { settings } from '../../src/features/settings/contract.ts'
import { signIn } from '../../src/features/sign-in/contract.ts'
import { EMAIL_TAKEN_CODE, type UserAccount, users } from '../../src/features/users/contract.ts'
import { type FakeApi, Refusal } from './fake-api.ts'

type Me = Pick<UserAccount, 'id' | 'name' | 'email' | 'role' | 'inbox'>

const NOW = '2026-11-23T02:00:00.000Z'
export const ADA: Me = {
  ...{ id: newId(new Date(NOW)), name: 'Ada Admin', email: 'ada@agency.test' },
  ...{ role: 'admin', inbox: 'none' },
}

/** Answers what every screen of the portal asks for. */
export function answerPortal(api: FakeApi, me: Me = ADA, attention: Dashboard['attention'] = null) {
  const { role, inbox, ...user } = me
  api.on(signIn.me, () => ({ user: { ...user, role }, permissions: [...permissionsOf(role, inbox)] }))
  api.on(dashboard.read, () => ({
    office: { timeZone: 'Australia/Sydney', openUntil: null, opensAt: null },
    ...{ attention, newest: null, enquiries: null, content: null, firstSteps: null },
  }))
  api.on(settings.mailStatus, () => ({
    ...{ state: 'working' as const, since: null, reason: null, isWaiting: false, admins: [] },
    noMailSince: null,
  }))
  api.on(figures.read, () => ({
    ...{ target: null, weeks: [], ages: [] },
    overdue: { count: 0, messages: [] },
    answers: { since: NOW, people: [] },
  }))
  const device = { device: 'Chrome on Linux', createdAt: NOW, lastSeenAt: NOW }
  let sessions = [0, 1, 2].map(at => ({ ...device, id: newId(new Date(at)), isCurrent: at === 0 }))
  api.on(profile.read, () => ({ signature: '', noticeEmails: true }))
  api.on(profile.sessions, () => ({ sessions }))
  api.on(profile.deleteSession, ({ id }) => {
    sessions = sessions.filter(session => session.id !== id)
    return {}
  })
}

/** Answers the calls about users, of whom there are these beside the one who is signed in. */
export function answerUsers(api: FakeApi, ...names: readonly string[]): UserAccount[] {
  const account = { emailVerified: true, role: 'viewer', inbox: 'none' } as const
  const all: UserAccount[] = [{ ...ADA, emailVerified: true }]
  for (const name of names)
    all.push({
      ...account,
      id: newId(new Date()),
      name,
      email: `${name.toLowerCase().replace(' ', '.')}@agency.test`,
    })
  api.on(users.list, () => ({ users: all }))
  api.on(users.work, () => ({ enquiries: 0, drafts: 0 }))
  const taken = new Refusal(409, { message: 'Another user has this email address', code: EMAIL_TAKEN_CODE })
  const isTaken = (address: string | undefined, by?: string) =>
    all.some(user => user.email === address && user.id !== by)
  api.on(users.create, ({ password: _, ...user }) => {
    if (isTaken(user.email)) return taken
    const created = { ...user, id: newId(new Date()), emailVerified: false }
    all.push(created)
    return { user: created }
  })
  api.on(users.change, ({ id, name, email, role, inbox }) => {
    const at = all.findIndex(user => user.id === id)
    const old = all[at]
    if (!old) return new Refusal(404)
    if (isTaken(email, id)) return taken
    const user = {
      ...old,
      ...(name && { name }),
      ...(email && { email }),
      ...(role && { role }),
      ...(inbox && { inbox }),
    }
    all[at] = user
    return { user }
  })
  api.on(users.delete, ({ id }) => {
    all.splice(
      all.findIndex(user => user.id === id),
      1,
    )
    return {}
  })
  return all
}

/** Answers the calls about API tokens. */
export function answerTokens(api: FakeApi) {
  let tokens: ApiToken[] = []
  api.on(apiTokens.list, () => ({ tokens }))
  api.on(apiTokens.create, ({ description, tokenType }) => {
    const token = { id: newId(new Date()), description, token_type: tokenType, expires_at: NOW }
    tokens = [{ ...token, last_used_at: null }, ...tokens]
    return { token: { ...token, token: 'landfall_secret' } }
  })
  api.on(apiTokens.revoke, ({ tokenId }) => {
    tokens = tokens.filter(({ id }) => id !== tokenId)
    return {}
  })
}
