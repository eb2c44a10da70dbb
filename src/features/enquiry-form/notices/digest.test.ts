import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  openTestAppWithCaptcha,
  PLACEHOLDER,
  pause,
  visitor,
} from '../../../../tests/support/test-app-with-captcha.ts'
import { TIMEOUT, until } from '../../../../tests/support/until.ts'
import { hours, minutes, seconds } from '../../../platform/clock.ts'
import { openServices } from '../../../services.ts'
import { listMessages } from '../../inbox/messages/read.server.ts'
import { enquiries } from '../contract.ts'
import { sendDigest } from './digest.server.ts'
import { digestEmail } from './notice.server.ts'

suite('Enquiry digest', async () => {
  const { google, testApp, newToken } = await openTestAppWithCaptcha()
  const { services, mailServer } = testApp

  test('staff get sixty emails in an hour, then one email for all the others (Q7, N3)', async () => {
    await flood(59)
    google.facts.score = 0.1
    await send(newToken())
    google.facts.score = 0.9
    await emailsAre(60)
    const digested: string[] = []
    for (const token of [PLACEHOLDER, 'recaptcha_disabled', PLACEHOLDER]) {
      testApp.wait(1)
      digested.push(await send(token))
    }
    testApp.wait(1)
    digested.push(await send(newToken()))
    assert.deepEqual(await emailStates(4), ['waiting', 'waiting', 'waiting', 'waiting'])

    testApp.wait(hours(1) - minutes(1))
    services.outbox.wake()
    await pause()
    assert.equal(mailServer.emails.length, 60)

    testApp.wait(minutes(1))
    services.outbox.wake()
    const email = await mailServer.next(({ subject }) => subject === '4 enquiries in one email')
    for (const reference of digested) assert.ok(email.text?.includes(reference), reference)
    assert.ok(!email.text?.includes(visitor.name))
    assert.ok(!email.headers.some(({ key }) => key === 'reply-to'))
    await emailStatesBecome(4, ['sent', 'sent', 'sent', 'sent'])
  })

  test('an hour later each enquiry gets an email of its own again', async () => {
    testApp.wait(hours(1))
    const reference = await send(PLACEHOLDER)
    await mailServer.next(({ subject }) => subject?.startsWith(`${reference}:`) ?? false)
  })

  test('two nodes that check for a due digest concurrently write one email', async () => {
    testApp.wait(hours(2))
    await flood(61)
    const other = services.config.databaseUrl ? await openSecondNode() : services
    testApp.wait(hours(1))
    await Promise.all([services, other, services, other].map(sendDigest))
    if (other !== services) await other.close()
    services.outbox.wake()
    await mailServer.next(({ subject }) => subject === '1 enquiry in one email')
    const digests = await services.db
      .selectFrom('outbox')
      .select('id')
      .where('message_id', 'is', null)
      .execute()
    assert.equal(digests.length, 2)
  })

  test('a message shows the delivery status of the digest that lists it', async () => {
    testApp.wait(hours(2))
    await flood(62)
    mailServer.behaviour = 'refuse'
    testApp.wait(hours(1))
    services.outbox.wake()
    await pause()
    assert.deepEqual(await emailStates(2), ['waiting', 'waiting'])
    mailServer.behaviour = 'accept'
    testApp.wait(minutes(30))
    services.outbox.wake()
    await emailStatesBecome(2, ['sent', 'sent'])
  })

  test('a message can be deleted before its digest is written', async () => {
    testApp.wait(hours(2))
    await flood(62)
    const { messages } = await listMessages(services.db, { now: '', userId: '' }, { limit: 2 })
    const [gone, kept] = messages
    await services.db
      .deleteFrom('messages')
      .where('id', '=', gone?.id ?? '')
      .execute()
    testApp.wait(hours(1))
    services.outbox.wake()
    const email = await mailServer.next(
      ({ text }) => text?.includes(`References: ${kept?.reference}`) ?? false,
    )
    assert.equal(email.subject, '1 enquiry in one email')
  })

  test('a digest that cannot be written delays no other email', async () => {
    services.outbox.beforePoll(async () => {
      throw new Error('a bug')
    })
    const reference = await send(newToken())
    await mailServer.next(({ subject }) => subject?.includes(reference) ?? false)
    assert.ok(testApp.console.some(line => line.includes('could not be written') && line.includes('a bug')))
    services.outbox.beforePoll(() => sendDigest(services))
  })

  test('a digest lists a thousand references and the number of the others', () => {
    const references = Array.from({ length: 1002 }, (_, index) => `LF-${index}.`)
    const { text } = digestEmail(
      references,
      'staff@agency.test',
      'https://agency.test',
      services.emailSignature('Us'),
    )
    assert.ok(text.includes('LF-999.') && !text.includes('LF-1000.'))
    assert.ok(text.includes('And more: 2'))
  })

  test('the sixtieth of many concurrent enquiries is the last to get an email of its own', async () => {
    testApp.wait(hours(2))
    const { length: before } = mailServer.emails
    await flood(45)
    // As many as a busy machine answers before the first times out waiting for a connection to PostgreSQL.
    await Promise.all(Array.from({ length: 25 }, () => send(PLACEHOLDER)))
    await emailsAre(before + 60)
    testApp.wait(hours(1))
    services.outbox.wake()
    await mailServer.next(({ subject }) => subject === '10 enquiries in one email')
  })

  /** Only PostgreSQL is shared: an SQLite file has one process. */
  async function openSecondNode() {
    return await openServices(services.config, { clock: services.clock, print: () => {} })
  }

  /** Sends this many enquiries, three from each address, a second apart, so that their order in the list is certain. */
  async function flood(count: number) {
    for (let sent = 0; sent < count; sent += 3) {
      const browser = testApp.browser()
      for (const _ of Array(Math.min(3, count - sent))) {
        testApp.wait(seconds(1))
        await browser.call(enquiries.contact, { ...visitor, recaptchaToken: PLACEHOLDER })
      }
    }
  }

  async function send(recaptchaToken: string): Promise<string> {
    return (await testApp.browser().call(enquiries.contact, { ...visitor, recaptchaToken })).reference
  }

  async function emailsAre(count: number) {
    await until(() => mailServer.emails.length >= count)
    assert.equal(mailServer.emails.length, count)
  }

  /** The delivery status of the newest messages, as the portal shows it. */
  async function emailStates(limit: number) {
    const { messages } = await listMessages(services.db, { now: '', userId: '' }, { limit })
    return messages.map(({ letter }) => letter)
  }

  async function emailStatesBecome(limit: number, expected: string[]) {
    const deadline = Date.now() + TIMEOUT
    let states = await emailStates(limit)
    while (Date.now() < deadline && states.join() !== expected.join()) {
      await pause()
      states = await emailStates(limit)
    }
    assert.deepEqual(states, expected)
  }
})
