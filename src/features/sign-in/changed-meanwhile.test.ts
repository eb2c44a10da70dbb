import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { atLength } from '../../../tests/support/at-length.ts'
import type { Browser } from '../../../tests/support/browser.ts'
import { openHeldTestApp } from '../../../tests/support/held-test-app.ts'
import { forgetPassword } from '../../../tests/support/password-links.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { isPasswordRight } from '../../auth/password.ts'
import type { SignedInUser } from '../../auth/session.ts'
import { hashCode } from '../../auth/six-digits.ts'
import { isoAfter, minutes } from '../../platform/clock.ts'
import { signIn } from './contract.ts'
import { saveConsoleCode } from './store.server.ts'

const OTHER_PASSWORD = 'Amber-Ferry-3-Window?'
const OWN_PASSWORD = 'Silver-Harbour-3-Lamp!'
/** Milliseconds; a change that takes longer is waiting for the paused step. */
const NOT_WAITING = 60
/** Of the statements of a step, each sixth is tried in every check, another one first for each pair; at length each. */
const STRIDE = atLength(6, 1)
const IN_TRUSTED = 'the password in a trusted browser'

suite('Sign-in while an admin changes the user', async () => {
  const testApp = await openTestApp()
  const held = openHeldTestApp(testApp)
  const { db, clock, keys } = testApp.services
  const admin = await signInByHand(testApp, (await createStaff(testApp, 'admin')).email)

  const changes: Record<string, (user: SignedInUser) => Promise<Response>> = {
    'gets another password': ({ id }) =>
      admin.send('PATCH', `/api/users/${id}`, { password: OTHER_PASSWORD }),
    'gets another role': ({ id }) => admin.send('PATCH', `/api/users/${id}`, { role: 'editor' }),
    'gets another address': ({ id, email }) =>
      admin.send('PATCH', `/api/users/${id}`, { email: `new-${email}` }),
    'is deleted': ({ id }) => admin.send('DELETE', `/api/users/${id}`),
  }

  /** Prepares everything before the request, so that only the request itself is paused. */
  async function prepare(browser: Browser, method: string, path: string, body: object = {}) {
    const { csrfToken } = await browser.call(signIn.csrfToken, {})
    const headers = { 'x-csrf-token': csrfToken, 'content-type': 'application/json' }
    return () => browser.fetch(path, { method, headers, body: JSON.stringify(body) })
  }
  const logIn = async (browser: Browser, { email }: SignedInUser) =>
    await prepare(browser, 'POST', '/api/auth/login', { email, password: STAFF_PASSWORD })

  /** Each step prepares a person and returns the request that they send while somebody changes their account. */
  const steps: Record<string, (user: SignedInUser) => Promise<() => Promise<Response>>> = {
    'the password': async user => {
      return await logIn(held.browser(), user)
    },
    'the password, before a code from the server': async user => {
      await saveConsoleCode(db, clock, user.id, hashCode(keys.signInCode, '123456'))
      return await logIn(held.browser(), user)
    },
    [IN_TRUSTED]: async user => {
      const trusted = testApp.browser()
      const code = await askForCode(testApp, trusted, user.email)
      await trusted.call(signIn.verifyCode, { code, trustDevice: true })
      await trusted.call(signIn.logout, {})
      return await logIn(held.browser(trusted), user)
    },
    'the code': async user => {
      const waiting = testApp.browser()
      const code = await askForCode(testApp, waiting, user.email)
      const body = { code, trustDevice: true }
      return await prepare(held.browser(waiting), 'POST', '/api/auth/verify-2fa', body)
    },
    'a request for another code': async user => {
      const waiting = testApp.browser()
      await askForCode(testApp, waiting, user.email)
      const code_sent_at = isoAfter(clock, -minutes(2))
      await db.updateTable('pending_sign_ins').set({ code_sent_at }).where('user_id', '=', user.id).execute()
      return await prepare(held.browser(waiting), 'POST', '/api/auth/resend-2fa')
    },
    'a new password of their own': async user => {
      const browser = held.browser(await signInByHand(testApp, user.email))
      const body = { password: OWN_PASSWORD, currentPassword: STAFF_PASSWORD }
      return await prepare(browser, 'PATCH', '/api/auth/profile', body)
    },
    'a new password by link': async user => {
      const body = { token: await forgetPassword(testApp, user.email), password: OWN_PASSWORD }
      return await prepare(held.browser(), 'POST', '/api/auth/set-password', body)
    },
  }

  /** Statements before the user is read: a role changed by then is the role with which the sign-in starts. */
  const beforeTheUser: Record<string, number> = { [IN_TRUSTED]: 4 }

  const sessionsOf = async ({ id }: SignedInUser) =>
    (await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).map(row => row.id)

  /** Pauses the step after so many statements. @returns false when the step had no more */
  async function tryAt(statements: number, step: string, change: string): Promise<boolean> {
    const user = await createStaff(testApp)
    const send = await steps[step]?.(user)
    assert.ok(send)
    const holds = held.holdAfter(statements).then(() => true)
    const sent = send()
    const isHeld = await Promise.race([holds, sent.then(() => false)])
    const changed = changes[change]?.(user)
    const isDone = await Promise.race([
      changed?.then(() => true),
      new Promise<false>(resolve => setTimeout(resolve, NOT_WAITING, false)),
    ])
    const before = await sessionsOf(user)
    held.release()
    const [{ status }, reply] = await Promise.all([sent, changed])
    const where = `${step}, held after ${statements}`
    assert.equal(reply?.status, 200, where)
    assert.ok(status < 500, `${where}: ${status}`)
    await assertNothingLeft(user, change, isDone ? before : null, where)
    return isHeld
  }

  /** @param before the sessions at the time of the change; null when the change finished last */
  async function assertNothingLeft(
    user: SignedInUser,
    change: string,
    before: string[] | null,
    where: string,
  ) {
    for (const table of ['pending_sign_ins', 'trusted_devices', 'console_codes'] as const) {
      const rows = await db.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute()
      assert.deepEqual(rows, [], `${where}: ${table}`)
    }
    const sessions = await sessionsOf(user)
    if (change !== 'gets another role') assert.deepEqual(sessions, [], `${where}: sessions`)
    // A person who was signed in before stays signed in, with the new role.
    else if (before) assert.ok(sessions.length <= before.length, `${where}: a session after the change`)
    if (change !== 'gets another password') return
    const row = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .executeTakeFirst()
    assert.ok(await isPasswordRight(OTHER_PASSWORD, row?.password_hash), `${where}: the password`)
  }

  let tried = 0
  async function tryEverywhere(step: string, change: string) {
    const first = 1 + (change === 'gets another role' ? (beforeTheUser[step] ?? 0) : 0)
    let statements = first + (tried++ % STRIDE)
    while (await tryAt(statements, step, change)) statements += STRIDE
    assert.ok(statements > 2, 'the step runs several statements')
  }

  for (const change of Object.keys(changes)) {
    for (const step of [
      'the password',
      'the password, before a code from the server',
      IN_TRUSTED,
      'a request for another code',
    ])
      test(`a sign-in leaves nothing of ${step} when the user ${change}, wherever it is paused (N1)`, async () => {
        await tryEverywhere(step, change)
      })

    test(`a sign-in leaves nothing of the code when the user ${change}, wherever it is paused (N1)`, async () => {
      await tryEverywhere('the code', change)
    })

    test(`the portal leaves nothing of a new password of their own when the user ${change} meanwhile (N1)`, async () => {
      await tryEverywhere('a new password of their own', change)
    })

    test(`the account keeps nothing of a new password by link when the user ${change} meanwhile (E10, N1)`, async () => {
      await tryEverywhere('a new password by link', change)
    })
  }

  for (const change of Object.keys(changes))
    test(`a sign-in fails when the email with the code is slow and the user ${change} (N1)`, async context => {
      const user = await createStaff(testApp, 'viewer')
      const browser = testApp.browser()
      testApp.mailServer.behaviour = 'hang'
      context.after(() => testApp.mailServer.release())
      const entered = (await logIn(browser, user))()
      await until(() => testApp.mailServer.held > 0)
      assert.equal((await changes[change]?.(user))?.status, 200)
      testApp.mailServer.release()
      const reply = await entered
      assert.equal(reply.status, 401)
      assert.equal((await reply.json()).message, 'Login failed')
      assert.equal(browser.cookies.has('__Host-pending'), false)
      const rows = await db
        .selectFrom('pending_sign_ins')
        .select('user_id')
        .where('user_id', '=', user.id)
        .execute()
      assert.deepEqual(rows, [])
    })
})
