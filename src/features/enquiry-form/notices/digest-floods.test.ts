import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import {
  openTestAppWithCaptcha,
  PLACEHOLDER,
  visitor,
} from '../../../../tests/support/test-app-with-captcha.ts'
import { until } from '../../../../tests/support/until.ts'
import { scheduleDueEmails } from '../../../jobs.ts'
import { days, hours } from '../../../platform/clock.ts'
import { openServices } from '../../../services.ts'
import { listMessages } from '../../inbox/messages/read.server.ts'
import { enquiries } from '../contract.ts'

suite('Enquiry digest while the bot check is off', async () => {
  const testApp = await openTestApp()
  const { mailServer, services } = testApp

  async function send(browser = testApp.browser()): Promise<string> {
    return (await browser.call(enquiries.contact, visitor)).reference
  }

  test('sixty enquiries an hour get an email each, the others share one, and none is lost (N3)', async () => {
    const references: string[] = []
    for (let count = 0; count < 10; count++) references.push(await send())
    for (let count = 0; count < 5; count++)
      references.push(...(await Promise.all(Array.from({ length: 14 }, () => send()))))
    await until(() => mailServer.emails.length >= 60)
    testApp.wait(hours(1))
    services.outbox.wake()
    const digest = await mailServer.next(({ subject }) => subject === '20 enquiries in one email')
    assert.equal(mailServer.emails.length, 61)
    const sent = mailServer.emails.map(({ subject, text }) => `${subject} ${text}`).join()
    for (const reference of references) assert.ok(sent.includes(reference), reference)
    assert.equal(references.filter(reference => digest.text?.includes(reference)).length, 20)
    const { messages } = await listMessages(services.db, { now: '', userId: '' }, { limit: 200 })
    assert.deepEqual(messages.map(({ reference }) => reference).sort(), references.sort())
  })

  test('a digest is sent soon after the clock was set back by a day (N3)', async () => {
    testApp.wait(hours(2))
    for (let count = 0; count < 62; count++) await send()
    testApp.wait(-days(1))
    services.outbox.wake()
    await mailServer.next(({ subject }) => subject === '2 enquiries in one email')
    // Enquiries dated tomorrow do not count as a flood of today.
    const reference = await send()
    await mailServer.next(({ subject }) => subject?.startsWith(`${reference}:`) ?? false)
  })
})

suite('Enquiry digest after a restart', async () => {
  const { testApp } = await openTestAppWithCaptcha()

  test('a new process sends the digest that is due', async () => {
    const { services, mailServer } = testApp
    const browsers = Array.from({ length: 61 }, () => testApp.browser())
    for (const browser of browsers)
      await browser.call(enquiries.contact, { ...visitor, recaptchaToken: PLACEHOLDER })
    await services.close()
    testApp.wait(hours(1))
    const next = await openServices(services.config, { clock: services.clock, print: () => {} })
    scheduleDueEmails(next)
    await next.outbox.start()
    await mailServer.next(({ subject }) => subject === '1 enquiry in one email')
    await next.close()
  })
})
