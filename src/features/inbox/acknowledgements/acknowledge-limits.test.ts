import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openAcknowledgingApp } from '../../../../tests/support/acknowledging-app.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { visitor } from '../../../../tests/support/test-app-with-captcha.ts'
import { days, hours, isoAfter, minutes, seconds } from '../../../platform/clock.ts'
import { ACKNOWLEDGED_PER_ADDRESS } from '../../enquiry-form/accept-enquiry.server.ts'
import { enquiries } from '../../enquiry-form/contract.ts'
import { erasePerson } from '../../privacy/erase.server.ts'
import {
  deleteOldAcknowledgements,
  MAX_PER_HOUR,
  ONE_ACKNOWLEDGEMENT_PER,
  sendAcknowledgements,
} from './acknowledge.server.ts'

suite('Limits of acknowledgements', async () => {
  const { testApp, newToken, anybody, enquire, settle, emailsFor, eventOf } = await openAcknowledgingApp()
  const { db, clock, outbox, settings } = testApp.services

  test('one address gets one acknowledgement a day, however it is spelled and wherever it is entered (Q9)', async () => {
    const email = anybody()
    await enquire({ email })
    const spelled = email.replace('visitor', 'VISITOR').toUpperCase()
    await enquire({ email: spelled })
    const tagged = email.replace('@', '+enquiry@')
    await enquire({ email: tagged })
    testApp.wait(ONE_ACKNOWLEDGEMENT_PER - seconds(30))
    const { id } = await enquire({ email })
    assert.equal(emailsFor(email).length + emailsFor(spelled).length + emailsFor(tagged).length, 1)
    assert.equal(await eventOf(id), undefined)
    testApp.wait(minutes(1))
    await enquire({ email })
    assert.equal(emailsFor(email).length, 2)
  })

  test('acknowledgements go on once a clock that was a year ahead is right again (found K9)', async () => {
    const email = anybody()
    testApp.wait(days(365))
    await enquire({ email })
    const ids = await storeMessages(testApp, Array(MAX_PER_HOUR).fill({}))
    const [created_at, decided_at] = [isoAfter(clock), isoAfter(clock)]
    const sent = ids.map(message_id => ({ message_id, created_at, decided_at, recipient_hash: message_id }))
    await db.insertInto('acknowledgements').values(sent).execute()
    testApp.wait(-days(365))
    await enquire({ email })
    assert.equal(emailsFor(email).length, 2, 'neither this address nor the hour is used up')
    await enquire({ email })
    assert.equal(emailsFor(email).length, 2, 'one a day, as ever')
    await deleteOldAcknowledgements(testApp.services)
    const left = await db.selectFrom('acknowledgements').select('decided_at').execute()
    assert.ok(left.length > 0 && left.every(row => (row.decided_at ?? '') <= isoAfter(clock)))
  })

  test('a clock that is behind for a while does not forget who got an acknowledgement (found K9)', async () => {
    const email = anybody()
    await enquire({ email })
    testApp.wait(-hours(2))
    await deleteOldAcknowledgements(testApp.services)
    testApp.wait(hours(2))
    await enquire({ email })
    assert.equal(emailsFor(email).length, 1)
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

  test('one mailbox of Google gets one acknowledgement, and programs, lists and the agency with a tag get none', async () => {
    const { form_email: own } = await settings.publicValues()
    const google = ['mai.nguyen@gmail.com', 'm.ainguyen@gmail.com', 'mainguyen+visa@googlemail.com']
    for (const email of google) await enquire({ email })
    assert.equal(google.flatMap(email => emailsFor(email)).length, 1)
    const programs = [
      'mailer-daemon',
      'postmaster',
      'no-reply',
      'noreply',
      'bounces',
      'owner-visas',
      'visas-request',
    ]
    const tagged = [own, testApp.services.config.mailFrom].map(email => email.replace('@', '+loop@'))
    for (const email of [...programs.map(name => `${name}@lists.test`), ...tagged])
      assert.equal(await eventOf((await enquire({ email })).id), undefined, email)
  })

  test('no more acknowledgements go out in an hour than an agency can need, whatever addresses enquiries come from', async () => {
    await db.deleteFrom('acknowledgements').execute()
    const ids = await storeMessages(testApp, Array(MAX_PER_HOUR).fill({}))
    const now = clock().toISOString()
    const sent = ids.map(message_id => ({
      message_id,
      created_at: now,
      decided_at: now,
      recipient_hash: message_id,
    }))
    await db.insertInto('acknowledgements').values(sent).execute()
    assert.equal(emailsFor((await enquire()).email).length, 0)
    testApp.wait(hours(1))
    assert.equal(emailsFor((await enquire()).email).length, 1)
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
    testApp.wait(ONE_ACKNOWLEDGEMENT_PER - minutes(1))
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
