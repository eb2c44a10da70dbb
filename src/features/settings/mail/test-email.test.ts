import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { MAIL_KEY, openMailchimpServer } from '../../../../tests/support/mailchimp-server.ts'
import { stopwatch } from '../../../../tests/support/processor-time.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { minutes } from '../../../platform/clock.ts'
import { dashboard } from '../../dashboard/contract.ts'
import { settings } from '../contract.ts'

suite('Test email', async () => {
  const mailchimp = await openMailchimpServer()
  after(() => mailchimp.close())
  const testApp = await openTestApp({ mailchimpApiUrl: mailchimp.url })
  const { settings: kept } = testApp.services
  const { mailServer } = testApp
  const { id, email } = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, email)
  const sendTest = async (body?: unknown) => await admin.send('POST', '/api/settings/test-email', body)

  beforeEach(async () => {
    mailchimp.behaviour = 'answer'
    await kept.write('mailchimp_transactional_api_key', '')
    // The emails of the previous test no longer count.
    testApp.wait(minutes(5))
  })

  test('an admin gets the test email at their own address, and sees how it was sent', async () => {
    assert.deepEqual(await admin.call(settings.testEmail, {}), {
      success: true,
      to: email,
      transport: 'smtp',
      digits: false,
    })
    const received = await mailServer.next(({ subject }) => subject?.startsWith('Test email from') ?? false)
    assert.deepEqual(received.recipients, [email])
    await kept.write('mailchimp_transactional_api_key', MAIL_KEY)
    const sent = await admin.call(settings.testEmail, {})
    assert.deepEqual(sent, { success: true, to: email, transport: 'mailchimp', digits: false })
    assert.deepEqual(mailchimp.messages.at(-1)?.to, [{ email, type: 'to' }])
  })

  test('an admin cannot send the test email to anyone else', async () => {
    assert.equal((await sendTest({ to: 'x@evil.test' })).status, 400)
  })

  test('an admin reads the error of the provider, and never the key', async () => {
    await kept.write('mailchimp_transactional_api_key', 'md-not-the-right-key-Wxyz')
    const reply = await sendTest()
    assert.equal(reply.status, 503)
    assert.ok(reply.headers.has('retry-after'))
    const { success, message } = await reply.json()
    assert.deepEqual([success, message], [false, 'Invalid_Key: Invalid API key'])
    mailchimp.behaviour = 'repeat the key'
    assert.doesNotMatch(await (await sendTest()).text(), /Wxyz/)
    assert.doesNotMatch(testApp.console.join(''), /Wxyz/)
    assert.ok(
      testApp.console.some(
        line =>
          line.includes('Test email could not be sent') &&
          line.includes('Invalid API key') &&
          line.includes(id),
      ),
    )
  })

  test('an admin gets an error within ten seconds when the provider does not answer', async context => {
    await kept.write('mailchimp_transactional_api_key', MAIL_KEY)
    mailchimp.behaviour = 'hold'
    context.after(() => mailchimp.release())
    const watch = stopwatch()
    const reply = await sendTest()
    assert.equal((await reply.json()).message, 'The mail provider did not answer in time')
    const [took, tookAtRest] = [watch.passed(), watch.passedAtRest()]
    assert.ok(took > 9000 && tookAtRest < 11_000, `${took} ms`)
  })

  test('an admin may send five test emails in five minutes', async () => {
    for (let count = 0; count < 5; count++) assert.equal((await sendTest()).status, 200)
    const reply = await sendTest()
    assert.equal(reply.status, 429)
    assert.ok(Number(reply.headers.get('retry-after')) > 200)
    const other = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    assert.equal((await other.send('POST', '/api/settings/test-email')).status, 200)
    testApp.wait(minutes(5) - minutes(1))
    assert.equal((await sendTest()).status, 429)
    testApp.wait(minutes(1))
    assert.equal((await sendTest()).status, 200)
  })

  test('every screen shows a notice while email stays on the server, until a provider is set up', async () => {
    const isKeptLocally = async () => (await admin.call(dashboard.read, {})).attention?.isMailKeptHere
    assert.equal(await isKeptLocally(), false)
    const other = await openTestApp({ mailchimpApiUrl: mailchimp.url, smtpUrl: null })
    const newcomer = await createStaff(other, 'admin')
    const browser = other.browser()
    await browser.send('POST', '/api/auth/login', {
      email: newcomer.email,
      password: 'Quiet-Harbour-9-Lantern!',
    })
    const code = /— code (\d{6})/.exec(other.console.join(''))?.[1] ?? ''
    await browser.send('POST', '/api/auth/verify-2fa', { code })
    const attention = async () => (await browser.call(dashboard.read, {})).attention
    assert.equal((await attention())?.isMailKeptHere, true)
    assert.equal((await browser.call(settings.testEmail, {})).transport, 'mailbox')
    await browser.call(settings.change, { key: 'mailchimp_transactional_api_key', value: MAIL_KEY })
    assert.equal((await attention())?.isMailKeptHere, true)
    await browser.call(settings.useMail, {})
    await until(async () => (await attention())?.isMailKeptHere === false)
  })
})
