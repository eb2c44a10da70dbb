import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NEW_PASSWORD, readPasswordLink, tokenIn } from '../../../tests/support/password-links.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { createSession } from '../../auth/session.ts'
import { days, minutes, seconds } from '../../platform/clock.ts'
import { signIn } from '../sign-in/contract.ts'

suite('Invitation', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  let admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  let invited = 0
  async function invite(change: object = {}) {
    const email = `mina-${++invited}@agency.test`
    const reply = await admin.send('POST', '/api/users', { name: 'Mina Park', email, ...change })
    assert.equal(reply.status, 201)
    const { user } = await reply.json()
    return { id: String(user.id), email, user }
  }
  const tokenFor = async (email: string) => tokenIn(await readPasswordLink(testApp, email))
  const use = async (token: string) =>
    await testApp.browser().send('POST', '/api/auth/set-password', { token, password: NEW_PASSWORD })
  const logIn = async (email: string, password: string) =>
    await testApp.browser().send('POST', '/api/auth/login', { email, password })
  const resend = async (id: string) => await admin.send('POST', `/api/users/${id}/invitation`)
  async function listed(id: string) {
    const { users } = await (await admin.fetch('/api/users')).json()
    return users.find((user: { id: string }) => user.id === id)
  }

  test('a user without a password gets an invitation, chooses one, and signs in with a code (E14)', async () => {
    const { id, email, user } = await invite({ role: 'editor' })
    assert.deepEqual([user.isInvited, user.emailVerified], [true, false])
    assert.deepEqual(await listed(id), user)
    const link = await readPasswordLink(testApp, email)
    assert.ok(link.startsWith(`${PUBLIC_URL}/set-password#token=`))
    const token = tokenIn(link)
    const opened = await testApp.browser().send('POST', '/api/auth/password-link', { token })
    assert.deepEqual(await opened.json(), { success: true, purpose: 'invitation', name: 'Mina Park', email })
    assert.equal((await use(token)).status, 200)
    assert.equal((await use(token)).status, 400)
    const { isInvited: _, ...accepted } = user
    assert.deepEqual(await listed(id), { ...accepted, emailVerified: true })
    const entered = await testApp.browser().call(signIn.login, { email, password: NEW_PASSWORD })
    assert.equal(entered.requiresTwoFactor, true)
    const [message] = testApp.mailServer.emails.filter(({ recipients }) => recipients.includes(email))
    assert.match(message?.subject ?? '', /^You are invited to the staff portal of/)
    assert.match(message?.text ?? '', /The link works once, within 7 days/)
    assert.ok(testApp.console.some(line => line.includes('Invitation accepted') && line.includes(id)))
  })

  test('nobody signs in to an account whose invitation was not accepted, and the reply is that of a wrong password (E13)', async () => {
    const { email } = await invite()
    const wrong = await logIn('nobody@agency.test', STAFF_PASSWORD)
    const { requestId: _, ...expected } = await wrong.json()
    for (const password of ['', ' ', 'undefined', 'null', STAFF_PASSWORD]) {
      const reply = await logIn(email, password)
      const { requestId: _, ...body } = await reply.json()
      assert.deepEqual([reply.status, body], [401, expected], password)
    }
  })

  test('an invitation works for seven days, and can be sent again (E14)', async () => {
    const [early, late] = [await invite(), await invite()]
    const tokens = [await tokenFor(early.email), await tokenFor(late.email)]
    testApp.wait(days(7) - minutes(1))
    assert.equal((await use(tokens[0] ?? '')).status, 200)
    testApp.wait(minutes(1) + seconds(1))
    assert.equal((await use(tokens[1] ?? '')).status, 400)
    admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    assert.equal((await resend(late.id)).status, 200)
    assert.equal((await use(await tokenFor(late.email))).status, 200)
  })

  test('an invitation that is sent again replaces the one before; a double click sends one (E14)', async () => {
    const { id, email } = await invite()
    const first = await tokenFor(email)
    const statuses = await Promise.all([resend(id), resend(id)])
    assert.deepEqual(statuses.map(({ status }) => status).sort(), [200, 429])
    const second = await tokenFor(email)
    assert.equal((await use(first)).status, 400)
    assert.equal((await use(second)).status, 200)
    testApp.wait(minutes(1))
    const refused = await resend(id)
    assert.equal(refused.status, 409)
    assert.equal((await refused.json()).message, 'This user has a password already')
    assert.equal((await resend('00000000-0000-7000-8000-000000000000')).status, 404)
  })

  test('an invitation goes to the new address when an admin corrects it, and the old one no longer works (E10)', async () => {
    const { id, email } = await invite()
    const first = await tokenFor(email)
    const corrected = `corrected-${email}`
    assert.equal((await admin.send('PATCH', `/api/users/${id}`, { email: corrected })).status, 200)
    const second = await tokenFor(corrected)
    assert.equal((await use(first)).status, 400)
    assert.equal((await use(second)).status, 200)
    const toOld = testApp.mailServer.emails.filter(({ recipients }) => recipients.includes(email))
    assert.equal(toOld.length, 1, 'the stranger who has the old address learns nothing of the new one')
  })

  test('an invitation no longer works when an admin sets a password or deletes the user (E10)', async () => {
    for (const change of [
      (id: string) => admin.send('PATCH', `/api/users/${id}`, { password: STAFF_PASSWORD }),
      (id: string) => admin.send('DELETE', `/api/users/${id}`),
    ]) {
      const { id, email } = await invite()
      const token = await tokenFor(email)
      assert.equal((await change(id)).status, 200)
      assert.equal((await use(token)).status, 400)
      const links = db.selectFrom('password_links').select('token_hash').where('email', '=', email)
      assert.deepEqual(await links.execute(), [])
    }
  })

  test('an empty password is an error and no invitation (U6)', async () => {
    const body = { name: 'Mina Park', email: 'mina@agency.test', password: '' }
    const reply = await admin.send('POST', '/api/users', body)
    assert.equal(reply.status, 400)
    assert.deepEqual((await reply.json()).errors, { password: 'Password must be at least 8 characters' })
  })
})

suite('Invitation without a mail provider', async () => {
  const testApp = await openTestApp({ smtpUrl: null })

  test('the list of users says that emails stay in the local mailbox, so that the admin sets a password', async () => {
    const { db, clock } = testApp.services
    const browser = testApp.browser()
    const { id } = await createStaff(testApp, 'admin')
    browser.cookies.set('__Host-session', await createSession(db, clock, id, ''))
    assert.equal((await (await browser.fetch('/api/users')).json()).isMailKeptHere, true)
  })
})
