import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { ENQUIRY } from '../../../../tests/support/enquiries.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { createSession } from '../../../auth/session.ts'
import { newId } from '../../../database/id.ts'
import { hours } from '../../../platform/clock.ts'
import { messages } from '../contract.ts'
import { NOTICE_RETRIES_PER_USER } from './notification-status.server.ts'

suite('Email about a message', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const { mailServer } = testApp
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  const store = async (...changes: Parameters<typeof storeMessages>[1]) => {
    await db.deleteFrom('messages').execute()
    return await storeMessages(testApp, changes)
  }
  const open = async (id: string, filter = {}) => await admin.call(messages.read, { id, ...filter })
  const retry = async (id: string) => await admin.send('POST', `/api/messages/${id}/retry`)
  const listFailed = async () =>
    (await admin.call(messages.list, { letter: 'failed' })).messages.map(({ id }) => id)

  /** Stores an email that the provider has rejected for three days. @returns its id. */
  async function rejectEmail(about: { messageId: string } | null, subject: string): Promise<string> {
    const id = newId(clock())
    const email = { to: 'desk@agency.test', fromName: 'Agency', subject, text: subject, html: subject }
    const longAgo = new Date(clock().getTime() - hours(80)).toISOString()
    const row = {
      id,
      kind: about ? ('notice' as const) : ('digest' as const),
      email: JSON.stringify(email),
      state: 'failed',
      attempts: 150,
      due_at: longAgo,
    } as const
    await db
      .insertInto('outbox')
      .values({
        ...row,
        message_id: about?.messageId ?? null,
        leased_until: null,
        last_error: '554 Mailbox is full',
        created_at: longAgo,
        sent_at: null,
      })
      .execute()
    return id
  }

  test('an open message has the status of its email and its neighbours in the list', async () => {
    const [newest = '', middle = '', oldest = ''] = await store({}, { name: 'Ana' }, {})
    const shown = await open(middle)
    assert.equal(shown.message.name, 'Ana')
    assert.deepEqual([shown.newer, shown.older], [newest, oldest])
    assert.deepEqual([shown.message.letter, shown.deliveryError], [null, null])
    assert.equal((await open(newest)).newer, null)
    assert.equal((await open(oldest)).older, null)
  })

  test('the neighbours of a message match the filter, even if the message itself does not', async () => {
    const [first = '', , third = '', fourth = ''] = await store(
      { name: 'Lorikeet' },
      { name: 'Magpie' },
      { name: 'Lorikeet', is_read: 1 },
      { name: 'Lorikeet' },
    )
    const byText = await open(third, { q: 'lorikeet' })
    assert.deepEqual([byText.newer, byText.older], [first, fourth])
    const unread = await open(third, { q: 'lorikeet', isRead: 'false' })
    assert.deepEqual([unread.newer, unread.older], [first, fourth])
    const byType = await open(third, { formType: 'tracking' })
    assert.deepEqual([byType.newer, byType.older], [null, null])
  })

  test('an admin sees why an email failed, and can send it again', async () => {
    const [id = '', other = ''] = await store({}, {})
    await rejectEmail({ messageId: id }, 'Once more, please')
    const before = await open(id)
    assert.deepEqual([before.message.letter, before.deliveryError], ['failed', '554 Mailbox is full'])
    assert.deepEqual(await listFailed(), [id])
    assert.equal((await retry(id)).status, 200)
    const email = await mailServer.next(({ subject }) => subject === 'Once more, please')
    assert.deepEqual(email.recipients, ['desk@agency.test'])
    await until(async () => (await open(id)).message.letter === 'sent')
    assert.equal((await open(id)).deliveryError, null)
    assert.deepEqual(await listFailed(), [])
    assert.ok(
      testApp.console.some(entry => entry.includes(id) && entry.includes('Failed email queued again')),
    )
    for (const notFailed of [id, other]) {
      const denied = await retry(notFailed)
      assert.equal(denied.status, 409)
      assert.equal((await denied.json()).message, 'The email about this message has not failed')
    }
    assert.equal((await retry(newId(clock()))).status, 404)
  })

  test('another email of a message changes neither its status nor what is sent again', async () => {
    const [id = ''] = await store({})
    const now = clock().toISOString()
    const failReply = (name: string) =>
      sql`insert into outbox (id, kind, message_id, email, state, attempts, due_at, created_at, last_error)
        values (${name}, 'reply', ${id}, '{}', 'failed', 9, ${now}, ${now}, '550 No such visitor')`.execute(
        db,
      )
    // One is read before the notice and one after it, whatever the order of the rows.
    await failReply('a reply')
    await rejectEmail({ messageId: id }, 'The notice')
    await failReply('z reply')
    const { messages: listed } = await admin.call(messages.list, {})
    assert.deepEqual(
      listed.map(message => message.id),
      [id],
    )
    assert.equal((await open(id)).deliveryError, '554 Mailbox is full')
    assert.equal((await retry(id)).status, 200)
    await mailServer.next(({ subject }) => subject === 'The notice')
    await until(async () => (await open(id)).message.letter === 'sent')
    assert.deepEqual(await listFailed(), [id], 'because of the reply')
    assert.equal((await retry(id)).status, 409, 'only the reply has failed')
    const reply = await db.selectFrom('outbox').select('state').where('id', '=', 'a reply').executeTakeFirst()
    assert.equal(reply?.state, 'failed')
  })

  test('an email that is sent again is retried while the provider keeps rejecting it', async context => {
    const [id = ''] = await store({})
    await rejectEmail({ messageId: id }, 'Refused again')
    mailServer.behaviour = 'refuse'
    context.after(() => mailServer.release())
    assert.equal((await retry(id)).status, 200)
    await until(() => mailServer.refused.some(({ subject }) => subject === 'Refused again'))
    await until(
      async () =>
        (await db.selectFrom('outbox').select('leased_until').where('message_id', '=', id).executeTakeFirst())
          ?.leased_until === null,
    )
    assert.equal((await open(id)).message.letter, 'waiting')
  })

  test('a failed digest is sent again once, even with two concurrent requests', async () => {
    const ids = await store({}, {}, {})
    const emailId = await rejectEmail(null, 'Two unverified enquiries')
    const [one = '', two = '', three = ''] = ids
    for (const id of [one, two])
      await db
        .insertInto('digest_items')
        .values({ message_id: id, email_id: emailId, created_at: clock().toISOString() })
        .execute()
    assert.equal((await open(two)).deliveryError, '554 Mailbox is full')
    assert.deepEqual(await listFailed(), [one, two])
    assert.deepEqual((await admin.call(messages.list, { letter: 'failed', q: 'sister' })).messages.length, 2)
    assert.equal((await retry(three)).status, 409)
    const replies = await Promise.all([retry(one), retry(two)])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
    await mailServer.next(({ subject }) => subject === 'Two unverified enquiries')
    await until(async () => (await open(one)).message.letter === 'sent')
    const copies = mailServer.emails.filter(({ subject }) => subject === 'Two unverified enquiries')
    assert.equal(copies.length, 1)
    await db.deleteFrom('outbox').where('id', '=', emailId).execute()
  })

  test('one person has failed emails sent again a hundred times an hour at most (G26)', async () => {
    const [id = ''] = await store({})
    await rejectEmail({ messageId: id }, 'Again and again')
    const { id: userId, email } = await createStaff(testApp, 'admin')
    const eager = await signInAs(testApp, email)
    for (let count = 0; count < NOTICE_RETRIES_PER_USER.count; count++)
      await testApp.services.rateLimiter.consume(NOTICE_RETRIES_PER_USER, userId)
    assert.equal((await eager.send('POST', `/api/messages/${id}/retry`)).status, 429)
    assert.equal((await retry(id)).status, 200)
  })

  test('opening a deleted message gets 404, and a malformed id or filter gets 400', async () => {
    const unknown = newId(clock())
    await assert.rejects(open(unknown), { status: 404, message: '404: This enquiry no longer exists' })
    for (const path of ['1', '__proto__', '%00', `${unknown}?formType=spam`, `${unknown}?limit=1`])
      assert.equal((await admin.fetch(`/api/messages/${path}`)).status, 400, path)
  })
})

suite('Email about a message without a mail provider', async () => {
  const testApp = await openTestApp({ smtpUrl: null })
  const { db, clock } = testApp.services
  const admin = testApp.browser()
  const { id: adminId } = await createStaff(testApp, 'admin')
  admin.cookies.set('__Host-session', await createSession(db, clock, adminId, 'test'))

  test('an open message, the export and the log say that the email stays on the server and has reached nobody', async () => {
    assert.equal((await testApp.browser().send('POST', '/api/contact', ENQUIRY)).status, 201)
    const [{ id = '' } = {}] = (await admin.call(messages.list, {})).messages
    const open = async () => await admin.call(messages.read, { id })
    await until(async () => (await open()).message.letter === 'sent')
    assert.equal((await open()).deliveryError, 'No mail provider was set up: it stays on the server.')
    const csv = await (await admin.fetch('/api/messages/export')).text()
    assert.ok(csv.includes('"Stays on the server"') && !csv.includes('"Sent"'), csv)
    const logged = (text: string) => testApp.console.some(line => line.includes(text))
    assert.ok(logged('Email kept on the server') && !logged('Email sent'))
  })
})
