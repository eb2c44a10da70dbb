import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { stopwatch } from '../../../tests/support/processor-time.ts'
import { askForCode, createStaff, readCode, STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, openTestApp } from '../../../tests/support/test-app.ts'
import { minutes, seconds } from '../../platform/clock.ts'
import { signIn } from './contract.ts'

suite('Resent codes', async () => {
  const testApp = await openTestApp()
  const { mailServer } = testApp

  const resend = async (browser: Browser, body?: unknown) =>
    await browser.send('POST', '/api/auth/resend-2fa', body)
  const emailsTo = (email: string) => mailServer.emails.filter(message => message.recipients.includes(email))

  async function pendingPerson() {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    return { email, browser, code: await askForCode(testApp, browser, email) }
  }

  test('a resend without the password sends no email (R1)', async () => {
    const before = mailServer.emails.length
    assert.equal((await resend(testApp.browser())).status, 401)
    assert.equal(mailServer.emails.length, before)
  })

  test('a resend is refused within a minute of the last code (R2)', async () => {
    const { email, browser } = await pendingPerson()
    testApp.wait(seconds(58))
    const early = await resend(browser)
    assert.equal(early.status, 429)
    assert.ok(['1', '2'].includes(early.headers.get('retry-after') ?? ''))
    testApp.wait(seconds(2))
    assert.equal((await resend(browser)).status, 200)
    assert.equal((await resend(browser)).status, 429)
    assert.equal(emailsTo(email).length, 2)
  })

  test('a double click on resend sends one email', async () => {
    const { email, browser } = await pendingPerson()
    testApp.wait(minutes(1))
    const replies = await Promise.all([resend(browser), resend(browser)])
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, 429])
    assert.equal(emailsTo(email).length, 2)
  })

  test('a resend voids the previous code (R3)', async () => {
    const { email, browser, code: old } = await pendingPerson()
    testApp.wait(minutes(1))
    await resend(browser)
    const code = await readCode(testApp, email)
    assert.notEqual(code, old)
    await assert.rejects(browser.call(signIn.verifyCode, { code: old }), { status: 401 })
    await browser.call(signIn.verifyCode, { code })
  })

  test('a resent code works for five minutes from its own sending', async () => {
    const { email, browser } = await pendingPerson()
    testApp.wait(minutes(4))
    await resend(browser)
    const code = await readCode(testApp, email)
    testApp.wait(minutes(4))
    await browser.call(signIn.verifyCode, { code })
  })

  test('five codes an hour are sent, including the first (R4)', async () => {
    const { email, browser } = await pendingPerson()
    for (let count = 0; count < 4; count++) {
      testApp.wait(minutes(1))
      assert.equal((await resend(browser)).status, 200)
      await readCode(testApp, email)
    }
    testApp.wait(minutes(1))
    const refused = await resend(browser)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 3000)
    assert.equal(emailsTo(email).length, 5)
    testApp.wait(minutes(55))
    await askForCode(testApp, testApp.browser(), email)
  })

  test('a resent code never goes to an address given in the request (R5)', async () => {
    const { email, browser } = await pendingPerson()
    testApp.wait(minutes(1))
    assert.equal((await resend(browser, { email: 'thief@evil.test', to: ADMIN_EMAIL })).status, 200)
    assert.equal(emailsTo(email).length, 2)
    assert.equal(emailsTo('thief@evil.test').length, 0)
    assert.equal(emailsTo(ADMIN_EMAIL).length, 0)
  })

  const readPrinted = () => /Sign-in code: (\d{6})/.exec(testApp.console.at(-1) ?? '')?.[1] ?? ''

  test('a resent code is on the console when the email cannot be sent, and comes in no late email (R6) (found E1)', async context => {
    const { email, browser } = await pendingPerson()
    testApp.wait(minutes(1))
    mailServer.behaviour = 'refuse'
    context.after(() => {
      mailServer.behaviour = 'accept'
    })
    const reply = await resend(browser)
    assert.equal(reply.status, 200)
    assert.ok(testApp.console.some(entry => /"level":"error".*code could not be sent.*full/.test(entry)))
    const kept = await testApp.services.db.selectFrom('outbox').select('id').execute()
    assert.deepEqual(kept, [])
    assert.equal(emailsTo(email).length, 1)
    assert.deepEqual((await browser.call(signIn.pending, {})).factors, ['console'])
    await browser.call(signIn.verifyCode, { code: readPrinted() })
  })

  test('a sign-in after a printed code was not needed gets its code by email again (found E1)', async () => {
    const { email, browser } = await pendingPerson()
    for (const behaviour of ['refuse', 'accept'] as const) {
      testApp.wait(minutes(1))
      mailServer.behaviour = behaviour
      assert.equal((await resend(browser)).status, 200)
    }
    await browser.call(signIn.verifyCode, { code: await readCode(testApp, email) })
    const other = testApp.browser()
    await other.send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD })
    assert.deepEqual((await other.call(signIn.pending, {})).factors, ['email'])
  })

  test('a resent code is on the console within ten seconds when the provider does not respond (R6) (found E1)', async context => {
    const { email, browser } = await pendingPerson()
    testApp.wait(minutes(1))
    mailServer.behaviour = 'hang'
    context.after(() => mailServer.release())
    const watch = stopwatch()
    const reply = await resend(browser)
    const [took, tookAtRest] = [watch.passed(), watch.passedAtRest()]
    assert.equal(reply.status, 200)
    assert.ok(took > 9000 && tookAtRest < 11_000, `${took} ms`)
    const kept = await testApp.services.db.selectFrom('outbox').select('id').execute()
    assert.deepEqual(kept, [], 'nothing could send it later')
    assert.equal(emailsTo(email).length, 1)
    await browser.call(signIn.verifyCode, { code: readPrinted() })
  })

  test('a resend gives no additional guesses (V7)', async () => {
    const { email, browser, code: first } = await pendingPerson()
    const wrong = first === '000000' ? '111111' : '000000'
    const guess = async () => await assert.rejects(browser.call(signIn.verifyCode, { code: wrong }))
    for (let count = 0; count < 3; count++) await guess()
    testApp.wait(minutes(1))
    await resend(browser)
    const code = await readCode(testApp, email)
    for (let count = 0; count < 2; count++) await guess()
    await assert.rejects(browser.call(signIn.verifyCode, { code }), { status: 401 })
  })

  test('a resend is refused an hour after the password was entered', async () => {
    const { browser } = await pendingPerson()
    testApp.wait(minutes(59))
    assert.equal((await resend(browser)).status, 200)
    testApp.wait(minutes(1))
    assert.equal((await resend(browser)).status, 401)
  })
})
