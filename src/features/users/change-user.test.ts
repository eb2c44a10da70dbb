import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../tests/support/token-client.ts'
import { minutes } from '../../clock.ts'
import type { UserRow } from '../../database/tables.ts'
import { signIn } from '../sign-in/contract.ts'

const OTHER_PASSWORD = 'Amber-Ferry-3-Window?'

suite('Change of a user', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const { mailServer } = testApp
  const self = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, self.email)

  const change = async (id: string, body: object, browser = admin) =>
    await browser.send('PATCH', `/api/users/${id}`, body)
  const read = async (id: string): Promise<UserRow> => ({
    ...(await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()),
  })
  const status = async (browser: Browser) => (await browser.fetch('/api/auth/me')).status
  const emailTo = async (email: string, subject: string) =>
    await mailServer.next(message => message.recipients.includes(email) && message.subject === subject)

  test('a change sets the given fields and nothing else', async () => {
    const { id, email } = await createStaff(testApp, 'viewer')
    const before = await read(id)
    const { user } = await (await change(id, { name: ' Robin Renamed ' })).json()
    assert.deepEqual(user, {
      id,
      email,
      name: 'Robin Renamed',
      role: 'viewer',
      inbox: 'none',
      emailVerified: true,
    })
    assert.deepEqual(await read(id), { ...before, name: 'Robin Renamed' })
    const same = await change(id, { name: 'Robin Renamed', email, role: 'viewer' })
    assert.equal(same.status, 200)
    assert.deepEqual(await read(id), { ...before, name: 'Robin Renamed' })
  })

  test('an admin can change only name, email, role, access to messages and password (U8)', async () => {
    const { id } = await createStaff(testApp, 'viewer')
    const before = await read(id)
    const extras = { is_default: 1, isDefault: true, emailVerified: false, passwordHash: 'x', id: self.id }
    for (const [key, value] of Object.entries(extras))
      assert.equal((await change(id, { [key]: value })).status, 400, key)
    assert.deepEqual(await read(id), before)
  })

  test('the email and the role of the default admin cannot be changed, their name and password can (U9)', async () => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ADMIN_EMAIL)
      .executeTakeFirstOrThrow()
    const before = await read(id)
    for (const body of [{ email: 'x@agency.test' }, { role: 'viewer' }, { name: 'New Name', role: 'editor' }])
      assert.equal((await change(id, body)).status, 403, JSON.stringify(body))
    assert.deepEqual(await read(id), before)
    const allowed = { name: 'Head Admin', password: OTHER_PASSWORD, role: 'admin', email: ADMIN_EMAIL }
    assert.equal((await change(id, allowed)).status, 200)
    assert.equal((await read(id)).name, 'Head Admin')
    assert.notEqual((await read(id)).password_hash, before.password_hash)
  })

  test('a new password ends all sessions of a user and sends them an email (U11, M3)', async () => {
    const { id, email } = await createStaff(testApp, 'editor')
    const browsers = [await signInAs(testApp, email), await signInAs(testApp, email)]
    const waiting = testApp.browser()
    const code = await askForCode(testApp, waiting, email)
    assert.equal((await change(id, { password: OTHER_PASSWORD })).status, 200)
    for (const browser of browsers) assert.equal(await status(browser), 401)
    await assert.rejects(waiting.call(signIn.verifyCode, { code }), { status: 401 })
    const message = await emailTo(email, 'Your password was changed')
    assert.ok(!message.raw.includes(OTHER_PASSWORD))
    const old = await testApp.browser().send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD })
    assert.equal(old.status, 401)
    const fresh = await testApp.browser().send('POST', '/api/auth/login', { email, password: OTHER_PASSWORD })
    assert.equal(fresh.status, 200)
  })

  test('a new password or role, but not a name, ends the trust in the devices of a user', async () => {
    const changes = [
      [{ name: 'Someone Else' }, false],
      [{ role: 'editor' }, true],
      [{ password: OTHER_PASSWORD }, true],
    ] as const
    for (const [body, needsCode] of changes) {
      const { id, email } = await createStaff(testApp, 'viewer')
      const browser = testApp.browser()
      const code = await askForCode(testApp, browser, email)
      await browser.call(signIn.verifyCode, { code, trustDevice: true })
      await browser.call(signIn.logout, {})
      await change(id, body)
      const password = 'password' in body ? body.password : STAFF_PASSWORD
      const entered = await browser.call(signIn.login, { email, password })
      assert.equal(entered.requiresTwoFactor, needsCode, JSON.stringify(body))
    }
  })

  test('a new password unlocks a locked user', async () => {
    const { id, email } = await createStaff(testApp, 'viewer')
    for (let guess = 0; guess < 5; guess++)
      await testApp.browser().send('POST', '/api/auth/login', { email, password: 'Wrong-Password-1!' })
    await change(id, { password: OTHER_PASSWORD })
    const reply = await testApp.browser().send('POST', '/api/auth/login', { email, password: OTHER_PASSWORD })
    assert.equal(reply.status, 200)
  })

  test('a new role applies from the next call (U12, M2)', async () => {
    const { id, email } = await createStaff(testApp, 'admin')
    const browser = await signInAs(testApp, email)
    const client = createTokenClient(testApp, (await createToken(admin, { id })).token)
    assert.equal((await browser.fetch('/api/users')).status, 200)
    assert.equal((await client('GET', '/api/messages')).status, 200)
    assert.equal((await change(id, { role: 'viewer' })).status, 200)
    assert.equal((await browser.fetch('/api/users')).status, 403)
    assert.equal((await browser.call(signIn.me, {})).user.role, 'viewer')
    assert.equal((await client('GET', '/api/messages')).status, 403)
  })

  test('a viewer cannot promote themselves (U13)', async () => {
    for (const role of ['viewer', 'editor'] as const) {
      const { id, email } = await createStaff(testApp, role)
      const browser = await signInAs(testApp, email)
      assert.equal((await change(id, { role: 'admin' }, browser)).status, 403)
      assert.equal((await change(self.id, { role: 'viewer' }, browser)).status, 403)
      assert.equal((await read(id)).role, role)
    }
    assert.equal((await read(self.id)).role, 'admin')
  })

  test('a new address notifies the old one, has to be verified and voids pending codes', async () => {
    const { id, email } = await createStaff(testApp, 'viewer')
    const waiting = testApp.browser()
    const code = await askForCode(testApp, waiting, email)
    const fresh = `new-${email}`
    const reply = await change(id, { email: fresh.toUpperCase() })
    assert.deepEqual((await reply.json()).user.emailVerified, false)
    assert.equal((await read(id)).email, fresh)
    const notice = await emailTo(email, 'Your email address was changed')
    assert.ok(notice.text?.includes(fresh))
    const asked = await mailServer.next(({ recipients }) => recipients.includes(fresh))
    assert.ok(asked.text?.includes(`${PUBLIC_URL}/verify-email?token=`))
    await assert.rejects(waiting.call(signIn.verifyCode, { code }), { status: 401 })
  })

  test('an address of another user is refused, in concurrent requests too (U5)', async () => {
    const [one, two, three] = [
      await createStaff(testApp),
      await createStaff(testApp),
      await createStaff(testApp),
    ]
    const taken = await change(one.id, { email: two.email.toUpperCase() })
    assert.equal(taken.status, 409)
    assert.equal((await taken.json()).code, 'email_taken')
    const email = 'wanted@agency.test'
    const replies = await Promise.all([one, two, three].map(({ id }) => change(id, { email })))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, 409, 409])
  })

  test('a change must satisfy the rules for passwords, names and roles (U4, U6)', async () => {
    const { id } = await createStaff(testApp)
    const wrong = { password: 'aaaaaaaa', name: 'Al', role: 'owner', email: 'nowhere' }
    const reply = await change(id, wrong)
    assert.equal(reply.status, 400)
    assert.deepEqual((await reply.json()).errors, {
      name: 'Name must be at least 3 characters',
      email: 'Please enter a valid email address',
      role: 'Please choose a role',
      password: 'Password must contain at least one uppercase letter',
    })
  })

  const oddIds = ['2147483648', '9223372036854775808', '-1', '1e3', '%00', '..%2F1', '__proto__', '%E0%A4%A']
  test('an id of no user is refused, whatever its form (U14)', async () => {
    for (const id of [...oddIds, '0190f0f0-0000-7000-8000-000000000000']) {
      for (const [method, path, body] of [
        ['PATCH', `/api/users/${id}`, { name: 'Nobody' }],
        ['DELETE', `/api/users/${id}`, undefined],
        ['POST', `/api/users/${id}/verification`, undefined],
      ] as const) {
        const reply = await admin.send(method, path, body)
        assert.ok([400, 404].includes(reply.status), `${method} ${path}: ${reply.status}`)
      }
    }
  })

  test('the verification email can be resent once a minute while the address is unverified', async () => {
    const { id, email } = await createStaff(testApp)
    const again = async () => await admin.send('POST', `/api/users/${id}/verification`)
    assert.equal((await again()).status, 409)
    await db.updateTable('users').set({ email_verified: 0 }).where('id', '=', id).execute()
    assert.equal((await again()).status, 200)
    await mailServer.next(({ recipients, text }) => recipients.includes(email) && /token=/.test(text ?? ''))
    const early = await again()
    assert.equal(early.status, 429)
    assert.ok(Number(early.headers.get('retry-after')) <= 60)
    testApp.wait(minutes(1))
    assert.equal((await again()).status, 200)
    const viewer = await signInAs(testApp, (await createStaff(testApp)).email)
    assert.equal((await viewer.send('POST', `/api/users/${id}/verification`)).status, 403)
  })
})
