import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { hashCode } from '../../auth/six-digits.ts'
import { days, minutes, seconds } from '../../platform/clock.ts'
import { signIn } from './contract.ts'
import { deleteUnseenBrowsers } from './known-browser.server.ts'
import { saveConsoleCode } from './store.server.ts'
import { sendLockEmails } from './wrong-passwords.server.ts'

suite('Account emails and blocked codes', async () => {
  const testApp = await openTestApp()
  const { db, clock, keys, outbox } = testApp.services
  const emailsTo = (email: string, subject: string) =>
    testApp.mailServer.emails.filter(
      message => message.recipients.includes(email) && message.subject === subject,
    )
  const NEW_BROWSER = 'Sign-in to your account from a new browser'
  const LOCKED = 'Your account is temporarily locked'
  const NO_MORE_CODES = 'Sign-in codes are blocked for your account'

  /** Queues the emails that are due and waits until the outbox is empty. */
  async function allSent() {
    await sendLockEmails(testApp.services)
    outbox.wake()
    await until(async () => {
      const waiting = await db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()
      return waiting.length === 0
    })
  }

  test('the owner of an account gets an email about a sign-in from a new browser, not from a known one', async () => {
    const { email } = await createStaff(testApp)
    const first = await signInByHand(testApp, email)
    await first.call(signIn.logout, {})
    await signInByHand(testApp, email, first)
    await allSent()
    assert.equal(emailsTo(email, NEW_BROWSER).length, 0, 'nobody to warn yet')
    const second = await signInByHand(testApp, email)
    await allSent()
    const [message] = emailsTo(email, NEW_BROWSER)
    assert.match(
      message?.text ?? '',
      /Browser: Unknown browser\nNetwork address: 203\.0\.113\.\d+\nTime: .* UTC/,
    )
    for (const browser of [second, first]) {
      await browser.call(signIn.logout, {})
      await signInByHand(testApp, email, browser)
    }
    await allSent()
    assert.equal(emailsTo(email, NEW_BROWSER).length, 1)
  })

  test('two users who share a browser do not get an email at each sign-in', async () => {
    const [one, other] = [await createStaff(testApp), await createStaff(testApp)]
    for (const { email } of [one, other]) await signInByHand(testApp, email)
    const shared = testApp.browser()
    for (const { email } of [one, other, one, other, one]) {
      await signInByHand(testApp, email, shared)
      await shared.call(signIn.logout, {})
    }
    await allSent()
    for (const { email } of [one, other]) assert.equal(emailsTo(email, NEW_BROWSER).length, 1)
  })

  test('a forged browser cookie and one from a year ago do not count as a known browser', async () => {
    const { id, email } = await createStaff(testApp)
    await signInByHand(testApp, email)
    const browser = testApp.browser()
    browser.cookies.set('__Host-browser', 'evil')
    await signInByHand(testApp, email, browser)
    assert.match(browser.cookies.get('__Host-browser') ?? '', /^[\w-]{43}$/)
    const known = async () =>
      (await db.selectFrom('known_browsers').selectAll().where('user_id', '=', id).execute()).length
    assert.equal(await known(), 2)
    testApp.wait(days(364))
    await deleteUnseenBrowsers(db, clock)
    assert.equal(await known(), 2)
    testApp.wait(days(1))
    await deleteUnseenBrowsers(db, clock)
    assert.equal(await known(), 0)
  })

  test('the owner gets one email, a few seconds later, when five wrong passwords lock the account (L7)', async () => {
    const { email } = await createStaff(testApp)
    const tryPassword = async (password: string) =>
      await testApp.browser().send('POST', '/api/auth/login', { email, password })
    for (let guess = 0; guess < 5; guess++) await tryPassword('Wrong-Password-1!')
    await allSent()
    assert.equal(emailsTo(email, LOCKED).length, 0, 'no email is sent during the login')
    testApp.wait(seconds(6))
    outbox.wake()
    await until(() => emailsTo(email, LOCKED).length === 1)
    await tryPassword('Wrong-Password-1!')
    testApp.wait(seconds(6))
    await allSent()
    assert.equal(emailsTo(email, LOCKED).length, 1)
    testApp.wait(minutes(10))
    await tryPassword('Wrong-Password-1!')
    testApp.wait(seconds(6))
    outbox.wake()
    await until(() => emailsTo(email, LOCKED).length === 2)
  })

  test('the owner gets no email about a lock when the fifth password was right', async () => {
    const { email } = await createStaff(testApp)
    for (let guess = 0; guess < 4; guess++)
      await testApp.browser().send('POST', '/api/auth/login', { email, password: 'Wrong-Password-1!' })
    await signInByHand(testApp, email)
    testApp.wait(seconds(6))
    await allSent()
    assert.equal(emailsTo(email, LOCKED).length, 0)
  })

  async function guess(email: string, times: number) {
    for (let count = 0; count < times; ) {
      testApp.wait(minutes(15))
      const browser = testApp.browser()
      const code = await askForCode(testApp, browser, email)
      const wrong = code === '000000' ? '111111' : '000000'
      for (let tries = 0; tries < 5 && count < times; tries++, count++) {
        const reply = await browser.send('POST', '/api/auth/verify-2fa', { code: wrong })
        assert.equal(reply.status, 401)
      }
    }
    testApp.wait(minutes(15))
  }
  async function enterRightCode(email: string, password = STAFF_PASSWORD) {
    const browser = testApp.browser()
    await browser.call(signIn.login, { email, password })
    const message = await testApp.mailServer.next(({ recipients, subject }) => {
      return recipients.includes(email) && (subject ?? '').includes('sign-in code for')
    })
    const code = /^\d{6}$/m.exec(message.text ?? '')?.[0]
    return await browser.send('POST', '/api/auth/verify-2fa', { code })
  }

  test('an account accepts a right code after ninety-nine wrong ones, which resets the count', async () => {
    const { id, email } = await createStaff(testApp)
    await guess(email, 3)
    await db.updateTable('users').set({ wrong_codes: 99 }).where('id', '=', id).execute()
    assert.equal((await enterRightCode(email)).status, 200)
    const row = db.selectFrom('users').select('wrong_codes').where('id', '=', id)
    assert.equal((await row.executeTakeFirstOrThrow()).wrong_codes, 0)
  })

  test('an account accepts no code after a hundred wrong ones, however long its owner waits', async () => {
    const { email } = await createStaff(testApp)
    await guess(email, 100)
    await until(() => emailsTo(email, NO_MORE_CODES).length === 1)
    testApp.wait(days(30))
    const refused = await enterRightCode(email)
    assert.equal(refused.status, 429)
    assert.ok(refused.headers.has('retry-after'))
    assert.match((await refused.json()).message, /Ask an admin/)
  })

  test('a new password from an admin unblocks the codes of an account', async () => {
    const { id, email } = await createStaff(testApp)
    await db.updateTable('users').set({ wrong_codes: 100 }).where('id', '=', id).execute()
    assert.equal((await enterRightCode(email)).status, 429)
    const admin = await signInByHand(testApp, (await createStaff(testApp, 'admin')).email)
    const password = 'Amber-Ferry-3-Window?'
    assert.equal((await admin.send('PATCH', `/api/users/${id}`, { password })).status, 200)
    assert.equal((await enterRightCode(email, password)).status, 200)
  })

  test('a code printed on the server unblocks the codes of an account', async () => {
    const { id, email } = await createStaff(testApp)
    await db.updateTable('users').set({ wrong_codes: 100 }).where('id', '=', id).execute()
    await saveConsoleCode(db, clock, id, hashCode(keys.signInCode, '123456'))
    const browser = testApp.browser()
    await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
    const reply = await browser.send('POST', '/api/auth/verify-2fa', { code: '123456' })
    assert.equal(reply.status, 200)
  })

  test('no more than a hundred codes in a row are checked when many requests are concurrent', async () => {
    const { id, email } = await createStaff(testApp)
    await db.updateTable('users').set({ wrong_codes: 98 }).where('id', '=', id).execute()
    const browser = testApp.browser()
    const code = await askForCode(testApp, browser, email)
    const wrong = code === '000000' ? '111111' : '000000'
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => browser.send('POST', '/api/auth/verify-2fa', { code: wrong })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [401, 401, 429, 429, 429])
  })
})
