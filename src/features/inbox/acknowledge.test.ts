import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { hostileTexts } from '../../../tests/support/hostile-texts.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestAppWithCaptcha, PLACEHOLDER, visitor } from '../../../tests/support/test-app-with-captcha.ts'
import { until } from '../../../tests/support/until.ts'
import { days, hours, minutes, seconds } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import {
  ACKNOWLEDGED_PER_ADDRESS,
  requestAcknowledgement,
} from '../enquiry-form/request-acknowledgement.server.ts'
import { erasePerson } from '../privacy/erase.server.ts'
import { settings as settingCalls } from '../settings/contract.ts'
import { deleteOldAcknowledgements, ONE_PER, sendAcknowledgements } from './acknowledge.server.ts'
import { readHistory } from './history.server.ts'

suite('Acknowledgement of an enquiry', async () => {
  const { testApp, google, newToken, set } = await openTestAppWithCaptcha()
  const { db, clock, mailTest, outbox, settings } = testApp.services
  const { mailServer } = testApp
  await mailTest.record(await mailTest.current())
  await settings.write('acknowledgement_enabled', 'true')
  const anybody = () => `${newId(clock())}@visitor.test`

  /** Sends an enquiry, and waits until it is decided whether its sender gets an email, and what became of that. */
  async function enquire(
    change: { email?: string; name?: string; message?: string; recaptchaToken?: string } = {},
    address?: string,
  ) {
    const enquiry = { ...visitor, email: anybody(), recaptchaToken: newToken(), ...change }
    const { reference } = await testApp.browser(address).call(enquiries.contact, enquiry)
    const { id } = await db
      .selectFrom('messages')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    await settle()
    return { id, reference, email: enquiry.email }
  }

  async function settle() {
    outbox.wake()
    const undecided = db.selectFrom('acknowledgements').select('message_id').where('decided_at', 'is', null)
    const untried = db.selectFrom('outbox').select('id').where('state', '=', 'waiting')
    const fresh = untried.where(eb => eb.or([eb('attempts', '=', 0), eb('leased_until', 'is not', null)]))
    await until(async () => [...(await undecided.execute()), ...(await fresh.execute())].length === 0)
  }

  const emailsFor = (email: string) =>
    mailServer.emails.filter(({ recipients }) => recipients.includes(email))
  const eventOf = async (id: string) =>
    (await readHistory(db, id)).entries.find(({ body }) => body === 'acknowledged')
  const statusOf = async (id: string) =>
    await db
      .selectFrom('messages')
      .select(['status', 'is_read', 'last_activity_at'])
      .where('id', '=', id)
      .executeTakeFirst()

  test('a verified sender gets one email at once, with the reference, the agent and the Consumer Guide', async () => {
    const { id, reference, email } = await enquire()
    const [sent, ...more] = emailsFor(email)
    assert.deepEqual(more, [])
    assert.equal(sent?.subject, `We have received your enquiry ${reference}`)
    for (const text of [sent?.text, sent?.html]) {
      assert.match(text ?? '', new RegExp(reference))
      assert.match(text ?? '', /registered migration agent, MARN \d{7}/)
      assert.match(text ?? '', /https:\/\/www\.mara\.gov\.au\S+consumer-guide/)
    }
    const event = await eventOf(id)
    assert.deepEqual(
      [event?.kind, event?.author, event?.delivery, event?.sendsAt],
      ['event', null, 'sent', null],
    )
    assert.deepEqual({ ...(await statusOf(id)) }, { status: 'open', is_read: 0, last_activity_at: null })
    assert.equal((await readHistory(db, id)).lastSeq, 0, 'nobody has answered yet')
  })

  test('an acknowledgement says when to expect an answer, in the time zone of the office, where that is known', async () => {
    await outbox.stop()
    const [known, unknown] = [anybody(), anybody()]
    for (const [email, due_at] of [
      [known, '2026-11-24T06:00:00.000Z'],
      [unknown, null],
    ] as const) {
      await testApp.browser().call(enquiries.contact, { ...visitor, email, recaptchaToken: newToken() })
      await db.updateTable('messages').set({ due_at }).where('email', '=', email).execute()
    }
    await outbox.start()
    await settle()
    const expected = /Expect our answer by: Tuesday,? 24 November 2026 at 5:00\s?pm \(Australia\/Sydney\)/i
    assert.match(emailsFor(known)[0]?.text ?? '', expected)
    assert.doesNotMatch(
      emailsFor(unknown)[0]?.text ?? 'nothing was sent',
      /Expect our answer|nothing was sent/,
    )
  })

  test('no machine answers an acknowledgement: it says that it is automatic and has the null return path (Q9)', async () => {
    const { id, email } = await enquire()
    const [sent] = emailsFor(email)
    assert.equal(sent?.returnPath, '')
    assert.match(sent?.raw ?? '', /^Auto-Submitted: auto-replied\r$/m)
    assert.match(sent?.raw ?? '', /^X-Auto-Response-Suppress: All\r$/m)
    assert.doesNotMatch(sent?.raw ?? '', new RegExp(`^(Reply-To|From|Cc):.*${email}`, 'im'))
    const { form_email } = await settings.publicValues()
    assert.deepEqual(
      sent?.replyTo?.map(({ address }) => address),
      [form_email],
      'a person who answers writes to the agency',
    )
    const notice = mailServer.emails.find(({ subject }) => subject?.includes('from Ana Reyes'))
    assert.notEqual(notice?.returnPath, '', 'other emails can come back')
    assert.doesNotMatch(notice?.raw ?? '', /^Auto-Submitted/im)
    const ids = await db.selectFrom('mail_ids').select('mail_id').where('message_id', '=', id).execute()
    assert.deepEqual(
      ids.map(it => it.mail_id),
      [sent?.messageId],
      'a reply belongs to the same conversation',
    )
  })

  test('an acknowledgement repeats nothing that the visitor wrote, whatever that is (Q9)', async () => {
    const marker = 'wombat4711'
    const written = fc.tuple(
      fc.constantFrom(...hostileTexts),
      fc.constantFrom('{name}', '\u202e', '=?utf-8?q?x?=', ''),
    )
    await fc.assert(
      fc.asyncProperty(written, async ([hostile, more]) => {
        const name = `${marker} ${more} ${hostile}`.slice(0, 90)
        const { email } = await enquire({ name, message: `${hostile} ${marker} ${more}` })
        const [sent] = emailsFor(email)
        for (const part of [sent?.raw, sent?.text, sent?.html, sent?.subject, sent?.from?.name]) {
          assert.ok(part)
          assert.doesNotMatch(part, /wombat4711|attacked/i)
        }
      }),
      { numRuns: 10 },
    )
  })

  test('only a sender who passed the bot check gets an acknowledgement (Q9)', async () => {
    const got = async (recaptchaToken?: string) =>
      emailsFor((await enquire({ ...(recaptchaToken && { recaptchaToken }) })).email).length
    assert.equal(await got(PLACEHOLDER), 0, 'unverified')
    google.facts = { ...google.facts, score: 0.1 }
    assert.equal(await got(), 0, 'suspect')
    google.facts = { ...google.facts, score: 0.9 }
    google.behaviour = 500
    assert.equal(await got(), 0, 'nobody knows')
    google.behaviour = 'answer'
    await set({ recaptcha_enabled: 'false' })
    assert.equal(await got(), 0, 'the check is off')
    await set({ recaptcha_enabled: 'true' })
    testApp.wait(minutes(5))
    assert.equal(await got(), 1)
  })

  test('one address gets one acknowledgement a day, however it is spelled and wherever it is entered (Q9)', async () => {
    const email = anybody()
    await enquire({ email })
    const spelled = email.replace('visitor', 'VISITOR').toUpperCase()
    await enquire({ email: spelled })
    testApp.wait(ONE_PER - seconds(30))
    const { id } = await enquire({ email })
    assert.equal(emailsFor(email).length + emailsFor(spelled).length, 1)
    assert.equal(await eventOf(id), undefined)
    testApp.wait(minutes(1))
    await enquire({ email })
    assert.equal(emailsFor(email).length, 2)
  })

  test('a client address gets three acknowledgements an hour, and its enquiries arrive all the same (Q9)', async () => {
    const from = '198.51.100.7'
    const emails: string[] = []
    for (let count = 0; count <= ACKNOWLEDGED_PER_ADDRESS.count; count++)
      emails.push((await enquire({}, from)).email)
    assert.deepEqual(
      emails.map(email => emailsFor(email).length),
      [1, 1, 1, 0],
    )
    testApp.wait(hours(1) - minutes(1))
    assert.equal(emailsFor((await enquire({}, from)).email).length, 0)
    testApp.wait(minutes(2))
    assert.equal(emailsFor((await enquire({}, from)).email).length, 1)
    const stored = JSON.stringify(await db.selectFrom('acknowledgements').selectAll().execute())
    assert.doesNotMatch(stored, /198\.51\.100\.7|visitor\.test/)
  })

  test('two enquiries from one address at once get one acknowledgement between them, on every node', async () => {
    const email = anybody()
    await outbox.stop()
    const browser = () => testApp.browser()
    for (let count = 0; count < 3; count++)
      await browser().call(enquiries.contact, {
        ...visitor,
        email,
        message: `${visitor.message} ${count}`,
        recaptchaToken: newToken(),
      })
    await Promise.all([1, 2, 3].map(() => sendAcknowledgements(testApp.services)))
    await outbox.start()
    await settle()
    assert.equal(emailsFor(email).length, 1)
  })

  test('the agency gets no acknowledgement from itself, and spam and what waited for hours get none', async () => {
    const { form_email: own } = await settings.publicValues()
    for (const email of [own.toUpperCase(), testApp.services.config.mailFrom])
      assert.equal(await eventOf((await enquire({ email })).id), undefined, email)
    await outbox.stop()
    const later: string[] = []
    for (const change of [{ status: 'spam' as const }, {}]) {
      const email = anybody()
      await testApp.browser().call(enquiries.contact, { ...visitor, email, recaptchaToken: newToken() })
      await db
        .updateTable('messages')
        .set({ email, ...change })
        .where('email', '=', email)
        .execute()
      later.push(email)
    }
    const [spam = '', late = ''] = later
    const { id: lateId } = await db
      .selectFrom('messages')
      .select('id')
      .where('email', '=', late)
      .executeTakeFirstOrThrow()
    const created_at = new Date(clock().getTime() - hours(7)).toISOString()
    await db.updateTable('acknowledgements').set({ created_at }).where('message_id', '=', lateId).execute()
    await outbox.start()
    await settle()
    assert.deepEqual([emailsFor(spam).length, emailsFor(late).length], [0, 0])
  })

  test('a mailbox that does not exist is seen in the conversation at once, and is not tried again', async () => {
    mailServer.behaviour = 'no such mailbox'
    const { id, email } = await enquire()
    mailServer.behaviour = 'accept'
    const event = await eventOf(id)
    assert.equal(event?.delivery, 'failed')
    assert.match(event?.deliveryError ?? '', /550.*No such mailbox/)
    const [row] = await db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', event?.id ?? '')
      .execute()
    assert.equal(row?.attempts, 1)
    testApp.wait(hours(1))
    await settle()
    assert.equal(emailsFor(email).length, 0)
    assert.equal((await statusOf(id))?.status, 'open')
    testApp.wait(hours(1))
  })

  test('an acknowledgement that the provider puts off is seen as delayed and sent later, within a day', async () => {
    mailServer.behaviour = 'later'
    const { id, email } = await enquire()
    const delayed = await eventOf(id)
    assert.deepEqual([delayed?.delivery, delayed?.sendsAt], ['waiting', null])
    assert.match(delayed?.deliveryError ?? '', /451/)
    const tooLate = await enquire()
    mailServer.behaviour = 'accept'
    await db
      .updateTable('outbox')
      .set({ created_at: new Date(clock().getTime() - days(1) - minutes(1)).toISOString() })
      .where('message_id', '=', tooLate.id)
      .where('kind', '=', 'acknowledgement')
      .execute()
    testApp.wait(minutes(31))
    outbox.wake()
    await until(async () => (await eventOf(id))?.delivery === 'sent')
    assert.equal(emailsFor(email).length, 1)
    testApp.wait(hours(1))
  })

  test('an acknowledgement that the provider did not confirm is not sent a second time', async () => {
    await settings.write('acknowledgement_enabled', 'false')
    const { id, email } = await enquire()
    await settings.write('acknowledgement_enabled', 'true')
    // Alone, so that what happens to the notice does not matter.
    mailServer.behaviour = 'vanish'
    await requestAcknowledgement(db, clock, id)
    await settle()
    mailServer.behaviour = 'accept'
    const event = await eventOf(id)
    assert.equal(event?.delivery, 'failed')
    assert.match(event?.deliveryError ?? '', /may have arrived/)
    testApp.wait(hours(1))
    await settle()
    assert.equal(emailsFor(email).length, 1)
  })

  test('an admin can switch acknowledgements on only after a test email was sent the same way', async () => {
    const { email } = await createStaff(testApp, 'admin')
    await set({ recaptcha_enabled: 'false' })
    const admin = await signInAs(testApp, email)
    await set({ recaptcha_enabled: 'true' })
    const change = async (value: string) => {
      await set({ recaptcha_enabled: 'false' })
      const reply = await admin.send('PUT', '/api/settings/acknowledgement_enabled', { value })
      await set({ recaptcha_enabled: 'true' })
      return reply
    }
    await settings.write('mail_tested', 'another way')
    assert.equal((await admin.call(settingCalls.mail, {})).isTested, false)
    const refused = await change('true')
    assert.equal(refused.status, 400)
    assert.match((await refused.json()).message, /^Send a test email first/)
    assert.equal(emailsFor((await enquire()).email).length, 0, 'nor is one sent while it is still on')
    await admin.call(settingCalls.testEmail, {})
    assert.equal((await admin.call(settingCalls.mail, {})).isTested, true)
    assert.equal((await change('true')).status, 200)
    assert.equal(emailsFor((await enquire()).email).length, 1)
    assert.equal((await change('false')).status, 200)
    assert.equal(emailsFor((await enquire()).email).length, 0)
    assert.equal((await change('true')).status, 200)
  })

  test('who got an acknowledgement is forgotten after a day, or with the person', async () => {
    const rows = async () => await db.selectFrom('acknowledgements').select('message_id').execute()
    const { id, email } = await enquire()
    assert.ok((await rows()).some(row => row.message_id === id))
    await erasePerson(testApp.services, email, 'test')
    assert.ok(!(await rows()).some(row => row.message_id === id))
    // Those of the other tests.
    await db.deleteFrom('acknowledgements').execute()
    const other = await enquire()
    testApp.wait(ONE_PER - minutes(1))
    await deleteOldAcknowledgements(testApp.services)
    assert.deepEqual(
      (await rows()).map(row => row.message_id),
      [other.id],
    )
    testApp.wait(minutes(2))
    await deleteOldAcknowledgements(testApp.services)
    assert.deepEqual(await rows(), [])
  })
})
