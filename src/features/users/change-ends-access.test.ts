import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { askForCode, createStaff, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../tests/support/token-client.ts'
import { OTHER_PASSWORD, openUserChanges } from '../../../tests/support/user-changes.ts'
import { signIn } from '../sign-in/contract.ts'

suite('What a change of a user ends', async () => {
  const { testApp, admin, change, read, status, emailTo } = await openUserChanges()
  const { mailServer } = testApp

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
})
