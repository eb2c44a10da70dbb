import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, openTestApp } from '../../../tests/support/test-app.ts'
import { signIn } from '../sign-in/contract.ts'

const OTHER_PASSWORD = 'Amber-Ferry-3-Window?'

suite('Change of address or password by an admin', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const self = await createStaff(testApp, 'admin')
  const admin = await signInByHand(testApp, self.email)

  const change = async (id: string, body: object, browser = admin) =>
    await browser.send('PATCH', `/api/users/${id}`, body)
  const read = async (id: string) => ({
    ...(await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()),
  })
  const status = async (browser: Browser) => (await browser.fetch('/api/auth/me')).status

  test('after a new address, every browser has to sign in again with a code (B1)', async () => {
    const { id, email } = await createStaff(testApp, 'viewer')
    const trusted = testApp.browser()
    const code = await askForCode(testApp, trusted, email)
    await trusted.call(signIn.verifyCode, { code, trustDevice: true })
    const other = await signInByHand(testApp, email)
    assert.equal((await change(id, { name: 'Robin Renamed' })).status, 200)
    assert.equal((await change(id, { email })).status, 200, 'the address that it already is')
    for (const browser of [trusted, other]) assert.equal(await status(browser), 200)
    const fresh = `new-${email}`
    assert.equal((await change(id, { email: fresh })).status, 200)
    for (const browser of [trusted, other]) assert.equal(await status(browser), 401)
    const entered = await trusted.call(signIn.login, { email: fresh, password: STAFF_PASSWORD })
    assert.equal(entered.requiresTwoFactor, true)
  })

  test('an admin cannot set their own password among the users: Edit Profile asks for the current one (B2)', async () => {
    const before = await read(self.id)
    for (const body of [{ password: OTHER_PASSWORD }, { name: 'Someone Else', password: OTHER_PASSWORD }]) {
      const reply = await change(self.id, body)
      assert.equal(reply.status, 403)
      assert.match((await reply.json()).message, /Edit Profile/)
    }
    assert.deepEqual(await read(self.id), before)
    assert.equal(await status(admin), 200)
    assert.equal((await change(self.id, { name: before.name })).status, 200)
  })

  test('another admin can set the password of the default admin, who can set it only in Edit Profile (U9, B2)', async () => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ADMIN_EMAIL)
      .executeTakeFirstOrThrow()
    assert.equal((await change(id, { password: STAFF_PASSWORD })).status, 200)
    const first = await signInByHand(testApp, ADMIN_EMAIL)
    assert.equal((await change(id, { password: OTHER_PASSWORD }, first)).status, 403)
    const own = { password: OTHER_PASSWORD, currentPassword: STAFF_PASSWORD }
    assert.equal((await first.send('PATCH', '/api/auth/profile', own)).status, 200)
    assert.equal(await status(first), 200)
  })
})
