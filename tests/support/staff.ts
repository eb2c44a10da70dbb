import type { InboxGrant } from '../../src/auth/permissions.ts'
import { createSession, type SignedInUser } from '../../src/auth/session.ts'
import { newId } from '../../src/database/id.ts'
import { signIn } from '../../src/features/sign-in/contract.ts'
import { isoAfter } from '../../src/platform/clock.ts'
import type { Services } from '../../src/services.ts'
import { type Browser, USER_AGENT } from './browser.ts'
import type { TestApp } from './test-app.ts'

export const STAFF_PASSWORD = 'Quiet-Harbour-9-Lantern!'
/** Of the usual password, made at the lowest cost that Argon2 has: tests create staff, and sign them in, by the hundred. */
export const STAFF_PASSWORD_HASH =
  'argon2id$m=8,t=1,p=1$89CB0yYKehNoeKtBSixC1A$tB-uUlYbLMaDV6AEVTDWwOnwj6P2yvcyXXPffGlGb0g'

/** Writes a member of staff into the database, with a unique email address and the usual password. */
export async function createStaff(
  { services }: { readonly services: Pick<Services, 'db' | 'clock'> },
  role: SignedInUser['role'] = 'viewer',
  passwordHash = STAFF_PASSWORD_HASH,
  inbox: InboxGrant = 'none',
): Promise<SignedInUser> {
  const id = newId(services.clock())
  const user = { id, email: `${role}-${id}@agency.test`, name: `Robin the ${role}`, role }
  await services.db
    .insertInto('users')
    .values({
      ...user,
      inbox,
      password_hash: passwordHash,
      is_default: 0,
      email_verified: 1,
      locked_until: null,
      created_at: isoAfter(services.clock),
    })
    .execute()
  return user
}

/** Submits the password. @returns the code from the email that arrives. */
export async function askForCode(
  testApp: Pick<TestApp, 'mailServer'>,
  browser: Browser,
  email: string,
): Promise<string> {
  await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
  return await readCode(testApp, email)
}

/** The code in the next email to this address. */
export async function readCode({ mailServer }: Pick<TestApp, 'mailServer'>, email: string): Promise<string> {
  const received = await mailServer.next(
    ({ recipients, subject }) => recipients.includes(email) && (subject ?? '').includes('sign-in code for'),
  )
  return /^\d{6}$/m.exec(received.text ?? '')?.[0] ?? ''
}

/** Signs in by password and code. @returns the browser that is signed in now. */
export async function signInByHand(
  testApp: Pick<TestApp, 'mailServer' | 'browser'>,
  email: string,
  browser = testApp.browser(),
): Promise<Browser> {
  const code = await askForCode(testApp, browser, email)
  await browser.call(signIn.verifyCode, { code })
  return browser
}

/** Gives a browser a session, which is written into the database: most tests are about what comes after signing in. */
export async function signInAs(
  { services, browser: open }: Pick<TestApp, 'services' | 'browser'>,
  email: string,
  browser = open(),
): Promise<Browser> {
  const { db, clock } = services
  const users = db.selectFrom('users').select('id').where('email', '=', email)
  const { id } = await users.executeTakeFirstOrThrow()
  const prefix = services.config.publicUrl.startsWith('https:') ? '__Host-' : ''
  browser.cookies.set(`${prefix}session`, await createSession(db, clock, id, USER_AGENT))
  browser.cookies.set(`${prefix}signed_in`, '1')
  return browser
}
