import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openAcknowledgingApp } from '../../../../tests/support/acknowledging-app.ts'
import { hostileTexts } from '../../../../tests/support/hostile-texts.ts'
import fc from '../../../../tests/support/properties.ts'
import { PLACEHOLDER, visitor } from '../../../../tests/support/test-app-with-captcha.ts'
import { minutes } from '../../../platform/clock.ts'
import { enquiries } from '../../enquiry-form/contract.ts'
import { readHistoryPage } from '../history/history-page.server.ts'

suite('Acknowledgement of an enquiry', async () => {
  const { testApp, google, newToken, set, anybody, enquire, settle, emailsFor, eventOf, statusOf } =
    await openAcknowledgingApp()
  const { db, outbox, settings } = testApp.services
  const { mailServer } = testApp

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
    assert.equal((await readHistoryPage(db, id, [])).lastSeq, 0, 'nobody has answered yet')
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
    const expected = /Expect our answer by: Tuesday,? 24 November 2026 at 5:00\s?pm, Sydney time/i
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
})
