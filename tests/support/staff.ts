import { hashPassword } from '../../src/auth/password.ts'
import type { InboxGrant } from '../../src/auth/permissions.ts'
import type { SignedInUser } from '../../src/auth/session.ts'
import { newId } from '../../src/database/id.ts'
import { signIn } from '../../src/features/sign-in/contract.ts'
import { isoAfter } from '../../src/platform/clock.ts'
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

export const STAFF_PASSWORD = 'Quiet-Harbour-9-Lantern!'
/** One for all in a file: each would take as long as the product makes it. */
let usualHash: Promise<string> | undefined

/** Writes a member of staff into the database, with a unique email address and the usual password. */
export async function createStaff(
  { services }: Pick<TestApp, 'services'>,
  role: SignedInUser['role'] = 'viewer',
  passwordHash?: string,
  inbox: InboxGrant = 'none',
): Promise<SignedInUser> {
  usualHash ??= hashPassword(STAFF_PASSWORD)
  const id = newId(services.clock())
  const user = { id, email: `${role}-${id}@agency.test`, name: `Robin the ${role}`, role }
  await services.db
    .insertInto('users')
    .values({
      ...user,
      inbox,
      password_hash: passwordHash ?? (await usualHash),
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
export async function signInAs(
  testApp: Pick<TestApp, 'mailServer' | 'browser'>,
  email: string,
  browser = testApp.browser(),
): Promise<Browser> {
  const code = await askForCode(testApp, browser, email)
  await browser.call(signIn.verifyCode, { code })
  return browser
}
