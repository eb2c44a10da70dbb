import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type Colleague,
  emailsTo,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { eraseWhile } from '../../../../tests/support/erasing.ts'
import { connectMailbox } from '../../../../tests/support/mail-in.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { officeOf } from '../../../content/office/office.ts'
import { newId } from '../../../database/id.ts'
import { hours, isoAfter, minutes, seconds } from '../../../platform/clock.ts'
import { users } from '../../users/contract.ts'
import { conversation, UNDO_TIME } from '../conversation/contract.ts'
import { notices } from '../notices/contract.ts'
import { MAX_SCHEDULED, scheduledReplies } from './contract.ts'
import { sendScheduled } from './scheduled.server.ts'

suite('Sending a reply later', async () => {
  const testApp = await openTestApp()
  const { services, wait } = testApp
  const { db, clock, sharedClock, outbox, content } = services
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')
  const visitor = () => `${newId(clock())}@visitor.test`
  const later = (time = minutes(20)) => isoAfter(sharedClock.now, time)

  async function schedule(id: string, body: string, change: object = {}, { browser, open }: Colleague = ana) {
    const { lastSeq } = await open(id)
    const reply = { id, body, lastSeq, sendsAt: later(), ...change }
    await browser.call(scheduledReplies.schedule, reply)
    return reply
  }
  const put = async (id: string, change: object, { browser, open }: Colleague = ana) =>
    await browser.send('PUT', `/api/messages/${id}/scheduled-reply`, {
      ...{ body: 'Dear Mai', lastSeq: (await open(id)).lastSeq, sendsAt: later(), ...change },
    })
  const cancel = async (id: string, { browser }: Colleague = ana) =>
    await browser.send('DELETE', `/api/messages/${id}/scheduled-reply`)
  /** When it is due, on two nodes at once. */
  async function pass() {
    wait(minutes(20) + seconds(1))
    await Promise.all([sendScheduled(services), sendScheduled(services)])
    // A session ends after an hour without a call.
    for (const { browser } of [ana, bo]) await browser.call(notices.list, {})
  }
  const repliesOf = async (id: string) => (await ana.open(id)).entries.filter(({ kind }) => kind === 'reply')
  const draftOf = async (id: string) => (await ana.open(id)).drafts.map(({ body }) => body)
  const scheduledOf = async (id: string) => (await bo.open(id)).scheduled
  /** What the history says; empty where it says nothing. */
  const unsentOf = async (id: string) =>
    (await ana.open(id)).entries.filter(({ action }) => action === 'reply-unsent')
  const whyUnsent = async (id: string, at = 0) => (await unsentOf(id))[at]?.detail ?? ''
  /** Says that it was not sent, to everybody in the history and to its writer, who has the text. */
  async function assertUnsent(id: string, why: RegExp, sent: readonly string[] = [], body = 'Dear Mai') {
    assert.deepEqual(
      (await repliesOf(id)).map(it => it.body),
      sent,
    )
    const { drafts, message, scheduled } = await ana.open(id)
    assert.match(await whyUnsent(id), why)
    assert.deepEqual([drafts[0]?.body, message.status, scheduled], [body, 'open', undefined])
    const listed = await ana.browser.call(notices.list, {})
    assert.ok(listed.notices.some(({ messageId, kind }) => messageId === id && kind === 'unsent'))
  }

  test('a scheduled reply is a draft until its time, and then goes out once like any other', async () => {
    const [email, copy] = [visitor(), visitor()]
    const id = await storeMessage(testApp, { email })
    const { sendsAt } = await schedule(id, ' Dear Mai \n', { cc: [copy, email], status: 'waiting' })
    assert.deepEqual(await scheduledOf(id), [{ by: { id: ana.id, name: ana.name }, sendsAt }])
    const own = (await ana.open(id)).scheduled?.[0]
    assert.deepEqual([own?.cc, own?.status], [[copy], 'waiting'], 'for when its writer goes on with it')
    assert.deepEqual([await draftOf(id), (await ana.open(id)).message.status], [['Dear Mai'], 'open'])
    assert.equal((await ana.open(id)).firstReply, null, 'nobody has answered')
    wait(minutes(19))
    await sendScheduled(services)
    assert.deepEqual(await repliesOf(id), [])
    await pass()
    const [reply, ...others] = await repliesOf(id)
    assert.deepEqual([reply?.body, reply?.author?.id, others], ['Dear Mai', ana.id, []])
    assert.ok(Date.parse(reply?.createdAt ?? '') >= Date.parse(sendsAt), 'the reply clock has run until then')
    assert.deepEqual([await draftOf(id), await scheduledOf(id)], [[], undefined])
    wait(UNDO_TIME + seconds(1))
    outbox.wake()
    await untilDelivered(testApp, reply?.id ?? '')
    assert.deepEqual([emailsTo(testApp, email).length, emailsTo(testApp, copy).length], [1, 1])
    assert.equal((await ana.open(id)).message.status, 'waiting')
  })

  test('the outbox sends what is due by itself', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    await schedule(id, 'Dear Mai')
    wait(minutes(20) + seconds(1))
    outbox.wake()
    await until(async () => (await repliesOf(id)).length === 1)
  })

  test('its writer cancels it, sends it at once or chooses another time', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    await schedule(id, 'Dear Mai')
    assert.equal((await cancel(id, bo)).status, 409)
    assert.equal((await cancel(id)).status, 200)
    assert.equal((await cancel(id)).status, 409)
    await pass()
    assert.deepEqual([await repliesOf(id), await draftOf(id)], [[], ['Dear Mai']])

    await schedule(id, 'Dear Mai')
    await schedule(id, 'Dear Mai, later', { sendsAt: later(minutes(50)) })
    assert.equal((await scheduledOf(id))?.length, 1)
    await pass()
    assert.deepEqual(await repliesOf(id), [])
    await ana.reply(id, 'Dear Mai, now')
    wait(minutes(30))
    await pass()
    const bodies = (await repliesOf(id)).map(({ body }) => body)
    assert.deepEqual(bodies, ['Dear Mai, now'])
    assert.equal(await whyUnsent(id), '', 'it was sent, although at another time')
  })

  test('two people schedule, and the second reply waits in its draft because of the first', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    await schedule(id, 'From Bo', { sendsAt: later(minutes(10)) }, bo)
    await schedule(id, 'Dear Mai')
    assert.deepEqual(
      (await scheduledOf(id))?.map(({ by }) => by.id),
      [bo.id, ana.id],
    )
    wait(minutes(11))
    await sendScheduled(services)
    assert.deepEqual(
      (await scheduledOf(id))?.map(({ obstacle }) => obstacle),
      ['Something has been said since it was written'],
    )
    await pass()
    assert.deepEqual(
      (await repliesOf(id)).map(({ body }) => body),
      ['From Bo'],
    )
    const { drafts } = await ana.open(id)
    assert.equal(drafts[0]?.body, 'Dear Mai')
    assert.match(await whyUnsent(id), /Something has been said/)
  })

  test('it is not sent to who is marked as spam, without its writer, nor once its text has changed', async () => {
    const [spam, changed, closed] = [
      await storeMessage(testApp, { email: visitor() }),
      await storeMessage(testApp, { email: visitor() }),
      await storeMessage(testApp, { email: visitor() }),
    ]
    for (const id of [spam, changed, closed]) await schedule(id, 'Dear Mai', { status: 'waiting' })
    await bo.change(spam, { status: 'spam' })
    await db.updateTable('drafts').set({ body: 'Dear Mai, wait' }).where('message_id', '=', changed).execute()
    await bo.change(closed, { status: 'closed' })
    await pass()
    assert.deepEqual(await repliesOf(spam), [])
    assert.equal((await ana.open(spam)).message.status, 'spam')
    const listed = await ana.browser.call(notices.list, {})
    assert.ok(listed.notices.some(({ messageId, kind }) => messageId === spam && kind === 'unsent'))
    await assertUnsent(changed, /draft has been changed/, [], 'Dear Mai, wait')
    assert.equal((await repliesOf(closed)).length, 1)
    assert.equal((await ana.open(closed)).message.status, 'closed', 'as a colleague has left it')

    const cy = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email: visitor() })
    await schedule(id, 'Dear Mai', {}, cy)
    await bo.browser.call(users.change, { id: cy.id, inbox: 'read' })
    assert.match((await scheduledOf(id))?.[0]?.obstacle ?? '', /no longer answer/)
    await bo.browser.call(users.change, { id: cy.id, inbox: 'answer' })
    await sendScheduled(services)
    assert.match(await whyUnsent(id), /no longer answer/, 'also when they may again a moment later')
    assert.deepEqual(await repliesOf(id), [])
  })

  for (const isGiven of [false, true])
    test(`a writer who is deleted leaves it in the history${isGiven ? ', and a colleague its draft' : ''}`, async () => {
      const cy = await signInToInbox(testApp)
      const id = await storeMessage(testApp, {
        email: visitor(),
        due_rule: officeOf(content.read().site).key,
      })
      await schedule(id, 'Dear Mai', {}, cy)
      await bo.change(id, { status: 'closed' })
      await bo.browser.call(users.delete, { id: cy.id, ...(isGiven && { assignTo: ana.id }) })
      await sendScheduled(services)
      const { message, drafts } = await ana.open(id)
      assert.equal(await whyUnsent(id), 'Its writer may no longer answer')
      assert.equal((await unsentOf(id))[0]?.author?.name, cy.name)
      assert.equal(message.status, 'open')
      assert.ok(message.dueAt, 'the reply clock runs again')
      assert.deepEqual(
        drafts.map(({ body }) => body),
        isGiven ? ['Dear Mai'] : [],
      )
    })

  test('its text cannot be changed while it is scheduled, but for what is around it', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    await schedule(id, 'Dear Mai')
    const save = async (body: string) =>
      (await ana.browser.send('PUT', `/api/messages/${id}/draft`, { kind: 'reply', body })).status
    assert.deepEqual([await save('Dear Mai \n'), await save('Dear Bo'), await save('')], [200, 409, 409])
    await pass()
    assert.equal((await repliesOf(id))[0]?.body, 'Dear Mai')
  })

  test('what a program sends, and the Consumer Guide, keep no reply from being sent', async () => {
    const mailbox = await connectMailbox(testApp)
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    await ana.reply(id, 'I look into it')
    await schedule(id, 'Dear Mai')
    await bo.browser.call(conversation.sendConsumerGuide, { id, lastSeq: (await bo.open(id)).lastSeq })
    const headers = ['Auto-Submitted: auto-replied', 'Content-Type: text/plain; charset=utf-8']
    await mailbox.add({ from: email, to: await mailbox.addressOf(id), body: 'I am away', headers })
    assert.equal((await scheduledOf(id))?.[0]?.obstacle, undefined)
    await pass()
    assert.ok((await repliesOf(id)).some(({ body }) => body === 'Dear Mai'))
  })

  test('one that is cancelled after it was read is not sent', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    await schedule(id, 'Dear Mai')
    wait(minutes(20) + seconds(1))
    // As between the look at what is due and the sending.
    const transport = async () => {
      await bo.browser.call(scheduledReplies.cancel, { id, userId: ana.id })
      return await services.mail.transport()
    }
    await outbox.stop()
    await sendScheduled({ ...services, mail: { ...services.mail, transport } })
    assert.deepEqual(await repliesOf(id), [])
    await outbox.start()
    await until(async () => (await whyUnsent(id)) === `${bo.name} cancelled it`)
  })

  test('a removed file and a message that the visitor has left keep it from being sent, and a call that reached nobody does not', async () => {
    const ids = await Promise.all([{}, {}, {}].map(() => storeMessage(testApp, { email: visitor() })))
    const [called = '', missed = '', added = ''] = ids
    for (const id of ids) await schedule(id, 'Dear Mai')
    const call = { body: 'She withdraws', direction: 'in', outcome: 'left-message' } as const
    await bo.browser.call(conversation.addCall, { id: called, ...call })
    await bo.browser.call(conversation.addCall, {
      id: missed,
      body: '',
      direction: 'out',
      outcome: 'no-answer',
    })
    const files = JSON.stringify([newId(clock())])
    const change = db.updateTable('scheduled_replies').set({ attachments: files })
    await change.where('message_id', '=', added).execute()
    assert.deepEqual(await Promise.all(ids.map(async id => (await scheduledOf(id))?.[0]?.obstacle)), [
      'Something has been said since it was written',
      undefined,
      'One of its files has been removed',
    ])
    await pass()
    assert.deepEqual(await Promise.all(ids.map(async id => (await repliesOf(id)).length)), [0, 1, 0])
  })

  test('a colleague stops it, and its writer reads who did', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    await schedule(id, 'Dear Mai', { cc: ['sponsor@visitor.test'] })
    await bo.browser.call(scheduledReplies.cancel, { id, userId: ana.id })
    await sendScheduled(services)
    await assertUnsent(id, RegExp(`^${bo.name} cancelled it. Copies were to go to sponsor@visitor.test$`))
    assert.equal(
      (await bo.browser.send('DELETE', `/api/messages/${id}/scheduled-reply`, { userId: ana.id })).status,
      409,
    )
  })

  test('a merge keeps it from being sent, and says so in the enquiry that is kept', async () => {
    const email = visitor()
    const [id, into] = [await storeMessage(testApp, { email }), await storeMessage(testApp, { email })]
    await schedule(id, 'Dear Mai')
    await ana.merge(id, into)
    await sendScheduled(services)
    await assertUnsent(into, /was merged into another$/)

    const later = await storeMessage(testApp, { email, message: 'I have changed my mind' })
    await schedule(into, 'Dear Mai')
    await ana.merge(later, into)
    await sendScheduled(services)
    assert.match(await whyUnsent(into, 1), /Another enquiry was merged into this one/)
    assert.deepEqual(await repliesOf(into), [])
  })

  test('a time that is over or too far ahead, an empty text and what has been answered are refused', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    const statuses = async (changes: object[]) =>
      await Promise.all(changes.map(async change => (await put(id, change)).status))
    const times = [{ sendsAt: later(-1) }, { sendsAt: later(MAX_SCHEDULED + hours(1)) }, { sendsAt: 'soon' }]
    assert.deepEqual(await statuses([...times, { body: ' ' }, { cc: ['nobody'] }]), [400, 400, 400, 400, 400])
    assert.deepEqual(await statuses([{ attachments: [newId(clock())] }]), [409])
    const [spam, without] = [
      await storeMessage(testApp, { status: 'spam' }),
      await storeMessage(testApp, { email: '' }),
    ]
    assert.deepEqual([(await put(spam, {})).status, (await put(without, {})).status], [409, 409])
    await bo.reply(id, 'From Bo')
    assert.deepEqual(await statuses([{ lastSeq: 0 }]), [409])
    assert.deepEqual([await scheduledOf(id), await draftOf(id)], [undefined, []])
    assert.equal(
      (await put(newId(clock()), {}, { ...ana, open: async () => await ana.open(id) })).status,
      404,
    )
  })

  test('without a mail provider it waits in its draft', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    await schedule(id, 'Dear Mai')
    const without = { ...services, mail: { ...services.mail, transport: async () => 'mailbox' as const } }
    wait(minutes(20) + seconds(1))
    await sendScheduled(without)
    await assertUnsent(id, /No mail provider/)
  })

  test('an email that comes before its time keeps it from being sent, and says so at once', async () => {
    const mailbox = await connectMailbox(testApp)
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    await ana.reply(id, 'I look into it')
    await schedule(id, 'Dear Mai')
    await mailbox.add({ from: email, to: await mailbox.addressOf(id), body: 'I have found it myself' })
    assert.match((await scheduledOf(id))?.[0]?.obstacle ?? '', /Something has been said/)
    await pass()
    await assertUnsent(id, /Something has been said/, ['I look into it'])
  })

  test('an erased address gets no copy', async () => {
    const [email, copy] = [visitor(), visitor()]
    const id = await storeMessage(testApp, { email })
    await schedule(id, 'Dear Mai', { cc: [copy] })
    await eraseWhile(testApp, copy)
    assert.doesNotMatch(
      JSON.stringify(await db.selectFrom('scheduled_replies').selectAll().execute()),
      RegExp(copy),
    )
    await pass()
    const [reply] = await repliesOf(id)
    assert.deepEqual([reply?.cc], [[]])
  })
})
