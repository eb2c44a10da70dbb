import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import {
  type Colleague,
  emailsTo,
  signInToInbox,
  storeMessage,
} from '../../../../tests/support/conversation.ts'
import { connectMailbox } from '../../../../tests/support/mail-in.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { days, isoAfter, minutes, seconds } from '../../../platform/clock.ts'
import { profile } from '../../profile/contract.ts'
import { messages } from '../contract.ts'
import { releaseMessages } from '../messages/release-messages.server.ts'
import { notices } from './contract.ts'
import { deleteOldNotices, sendNoticeEmails } from './notices.server.ts'

suite('Notices', async () => {
  const testApp = await openTestApp()
  const { services, wait } = testApp
  const { db, clock, outbox } = services
  const ana = await signInToInbox(testApp, 'admin')
  const ben = await signInToInbox(testApp)
  await ben.browser.call(profile.change, { name: 'Ben Okafor' })
  const list = async ({ browser }: Colleague = ben) => (await browser.call(notices.list, {})).notices
  const kindsOf = async (colleague: Colleague) =>
    (await list(colleague)).map(({ messageId, kind, by }) => [messageId, kind, by])
  const count = async ({ browser }: Colleague = ben) => (await browser.call(messages.counts, {})).notices
  const forget = async (messageId?: string, until = isoAfter(clock)) =>
    await ben.browser.call(notices.delete, { until, ...(messageId && { messageId }) })
  beforeEach(async () => await forget())
  const emails = () => emailsTo(testApp, ben.email)
  /** Two minutes later, on two nodes at once. */
  async function later() {
    wait(minutes(2) + seconds(1))
    const before = emails().length
    await Promise.all([sendNoticeEmails(services), sendNoticeEmails(services)])
    outbox.wake()
    await until(async () => {
      const waiting = db.selectFrom('outbox').select('id').where('state', '=', 'waiting')
      return (await waiting.execute()).length === 0
    })
    return emails().slice(before)
  }

  test('who gets an enquiry from a colleague finds it until they have looked, and who takes one does not', async () => {
    const [given, taken] = [await storeMessage(testApp, { name: 'Mai Tran' }), await storeMessage(testApp)]
    await ana.change(given, { assignee: ben.id })
    await ben.change(taken, { assignee: 'me' })
    const [notice, ...others] = await list()
    assert.deepEqual(others, [])
    const { createdAt, reference, ...rest } = notice ?? assert.fail()
    assert.deepEqual(rest, { messageId: given, name: 'Mai Tran', kind: 'assigned', by: ana.name })
    assert.match(reference, /^LF-/)
    assert.ok(Date.parse(createdAt) <= clock().getTime())
    assert.deepEqual([await count(), await count(ana)], [1, 0])
    await forget(given)
    assert.deepEqual([await list(), await count()], [[], 0])
  })

  test('what is given to another or taken back waits for nobody, and given again it does', async () => {
    const id = await storeMessage(testApp)
    await ana.change(id, { assignee: ben.id })
    await ana.change(id, { assignee: 'me' })
    assert.deepEqual([await list(), await count(), await list(ana)], [[], 0, []])
    await ana.change(id, { assignee: ben.id })
    await ana.change(id, { assignee: ana.id, isUndo: true })
    assert.deepEqual([await list(), await count()], [[], 0])
    await ana.change(id, { assignee: null })
    assert.deepEqual([await list(), await count()], [[], 0])
    assert.deepEqual(await later(), [])
    await ana.change(id, { assignee: ben.id })
    assert.equal((await list()).length, 1)
    assert.equal((await later()).length, 1)
  })

  test('what is taken back, or taken by its former assignee, is no news to them, and what is handed over is', async () => {
    const id = await storeMessage(testApp)
    await ben.change(id, { assignee: 'me' })
    await ana.change(id, { assignee: 'me' })
    await ana.change(id, { assignee: ben.id, isUndo: true })
    assert.deepEqual([await list(), await later()], [[], []])
    const cara = await signInToInbox(testApp)
    await ana.change(id, { assignee: cara.id })
    await ana.change(id, { assignee: ben.id })
    await ana.change(id, { assignee: cara.id })
    await ben.change(id, { assignee: 'me' })
    assert.deepEqual(await list(), [])
    const given = { toId: ben.id, byId: ana.id }
    await cara.change(id, { assignee: 'me' })
    await db.updateTable('users').set({ inbox: 'none' }).where('id', '=', cara.id).execute()
    await releaseMessages(services, { userId: cara.id, given })
    assert.deepEqual(await kindsOf(ben), [[id, 'assigned', ana.name]])
  })

  test('what came after the caller looked stays, and what is merged or done with is counted where it is', async () => {
    const [id, into] = [await storeMessage(testApp), await storeMessage(testApp)]
    await ana.note(id, '@Ben Okafor')
    await ana.change(id, { assignee: ben.id })
    assert.deepEqual([(await list()).length, await count()], [2, 1], 'one enquiry')
    await forget(id, isoAfter(clock, -minutes(1)))
    assert.equal((await list()).length, 2)
    await ana.merge(id, into)
    assert.deepEqual(await kindsOf(ben), [[into, 'mentioned', ana.name]], 'nobody has the one that is kept')
    await forget(into)
    assert.deepEqual(await list(), [])
    await ana.note(into, '@Ben Okafor')
    await ana.change(into, { status: 'closed' })
    assert.deepEqual([await list(), await count()], [[], 0])
  })

  test('who has an enquiry, and who follows it, hear of each answer of the visitor until they look', async () => {
    const mailbox = await connectMailbox(testApp)
    const [id, other] = [await storeMessage(testApp), await storeMessage(testApp)]
    const write = async (headers: string[] = []) =>
      await mailbox.add({ to: await mailbox.addressOf(id), headers, body: 'Any news of my sister?' })
    await ben.change(id, { assignee: 'me' })
    await ana.reply(id, 'Dear Mai')
    await write()
    assert.deepEqual(await kindsOf(ben), [[id, 'answered', null]])
    assert.deepEqual(await kindsOf(ana), [], 'who neither has it nor follows it')
    assert.deepEqual(
      (await later()).map(({ text }) => text?.includes('A visitor has written by email')),
      [true],
      'the mail itself, and nothing more',
    )
    await forget()
    await ben.change(id, { assignee: null })
    await write()
    assert.deepEqual(await kindsOf(ben), [], 'no longer theirs')

    await ben.browser.call(notices.follow, { id: other })
    await ben.browser.call(notices.follow, { id: other })
    assert.equal((await ben.open(other)).isFollowing, true)
    assert.equal((await ana.open(other)).isFollowing, undefined)
    await ana.merge(other, id)
    assert.equal((await ben.open(id)).isFollowing, true, 'also what it is merged into')
    await write(['Auto-Submitted: auto-replied'])
    assert.deepEqual(await kindsOf(ben), [], 'a machine')
    await write()
    assert.deepEqual(await kindsOf(ben), [[id, 'answered', null]])
    const [email, ...others] = await later()
    assert.deepEqual(others, [])
    assert.match(email?.text ?? '', /A new email has come/)
    assert.doesNotMatch(JSON.stringify(email), /sister|mai@/)
    await write()
    assert.deepEqual(await later(), [], 'one email until they look')
    await ana.change(id, { status: 'closed' })
    assert.deepEqual(await kindsOf(ben), [])
    await write()
    assert.deepEqual(await kindsOf(ben), [[id, 'answered', null]], 'it is open again')
    await forget(id)
    await ben.browser.call(notices.unfollow, { id })
    assert.equal((await ben.open(id)).isFollowing, undefined)
    await write()
    assert.deepEqual(await kindsOf(ben), [])
    await ben.change(id, { assignee: 'me', isRead: false })
    await write()
    assert.equal((await later()).length, 1, 'they have marked it as unread: no other email says it')
    await forget()
    await ben.change(id, { assignee: null, snoozedUntil: isoAfter(clock, minutes(30)) })
    await write()
    assert.deepEqual(await kindsOf(ben), [[id, 'answered', null]], 'who waits for it')
    const gone = '00000000-0000-4000-8000-000000000000'
    assert.equal((await ben.browser.send('PUT', `/api/messages/${gone}/following`)).status, 404)
  })

  test('who snoozes an enquiry is reminded when that ends, unless it was put off, lifted or closed', async () => {
    const [id, lifted, closed, taken] = [
      ...[await storeMessage(testApp), await storeMessage(testApp)],
      ...[await storeMessage(testApp), await storeMessage(testApp)],
    ] as const
    const at = (time: number) => ({ snoozedUntil: isoAfter(clock, time) })
    for (const each of [id, lifted, closed, taken]) await ben.change(each, at(minutes(10)))
    await ana.change(taken, at(minutes(60)))
    const same = { snoozedUntil: (await ana.open(id)).message.snoozedUntil }
    await ana.change(id, { snoozedUntil: null })
    await ana.change(id, { ...same, isUndo: true })
    await ben.change(lifted, { snoozedUntil: null })
    await ben.change(closed, { status: 'closed' })
    assert.deepEqual([await list(), await count(), await later()], [[], 0, []], 'not yet')
    await ben.change(id, at(minutes(20)))
    wait(minutes(15))
    assert.deepEqual([await list(), await count(), await later()], [[], 0, []], 'put off')
    wait(minutes(4))
    assert.deepEqual(await kindsOf(ben), [[id, 'snoozed', null]])
    assert.deepEqual([await count(), await count(ana)], [1, 0], 'not who has taken back what ended it')
    const [email, ...others] = await later()
    assert.deepEqual(others, [])
    assert.match(JSON.stringify(email), /Your snooze has ended/)
    assert.deepEqual(await later(), [], 'once')
    await ben.change(id, at(minutes(5)))
    assert.deepEqual(await list(), [])
    wait(minutes(5))
    assert.equal((await later()).length, 1, 'snoozed again')
    await forget(id)
    assert.deepEqual(await list(), [])
  })

  test('nobody deletes those of another', async () => {
    const id = await storeMessage(testApp)
    await ana.note(id, '@Ben Okafor')
    await ana.browser.call(notices.delete, { messageId: id, until: isoAfter(clock) })
    await ana.browser.call(notices.delete, { until: isoAfter(clock) })
    assert.equal((await list()).length, 1)
  })

  test('who is named in a note hears of it, and nothing else of the note leaves Landfall', async () => {
    const id = await storeMessage(testApp, { name: 'Mai Quokka' })
    await ana.note(id, 'Her visa ends on Friday: @ben okafor, can you call? @nobody @')
    assert.deepEqual(await kindsOf(ben), [[id, 'mentioned', ana.name]])
    const [email, ...others] = await later()
    assert.deepEqual(others, [])
    const sent = JSON.stringify(email)
    for (const word of ['Quokka', 'Friday', 'visa ends', 'mai@visitor.test'])
      assert.ok(!sent.includes(word), word)
    assert.ok(sent.includes(`/messages?message=${id}`))
    assert.ok(sent.includes(`${ana.name} named you in a note`))
  })

  test('one email says all, once; none comes to who has looked, or wants none', async () => {
    const ids = [await storeMessage(testApp), await storeMessage(testApp), await storeMessage(testApp)]
    for (const id of ids) await ana.change(id, { assignee: ben.id })
    await forget(ids[0])
    const [email, ...others] = await later()
    assert.deepEqual(others, [])
    assert.equal(email?.subject, '2 enquiries are waiting for you')
    assert.deepEqual(await later(), [], 'once')
    const next = await storeMessage(testApp)
    await ana.change(next, { assignee: ben.id })
    await forget()
    assert.deepEqual(await later(), [], 'who has looked')
    await ben.browser.call(profile.change, { noticeEmails: false })
    assert.equal((await ben.browser.call(profile.read, {})).noticeEmails, false)
    await ana.change(next, { assignee: 'me' })
    await ana.change(next, { assignee: ben.id })
    assert.deepEqual(await later(), [], 'who wants none')
    assert.equal((await list()).length, 1)
    await ben.browser.call(profile.change, { noticeEmails: true })
  })

  test('who may no longer read the inbox gets no email, and an old notice goes', async () => {
    const id = await storeMessage(testApp)
    await ana.change(id, { assignee: ben.id })
    await db.updateTable('users').set({ inbox: 'none' }).where('id', '=', ben.id).execute()
    assert.deepEqual(await later(), [])
    await db.updateTable('users').set({ inbox: 'answer' }).where('id', '=', ben.id).execute()
    wait(days(59))
    await deleteOldNotices(db, clock)
    const kept = db.selectFrom('notices').select('user_id').where('message_id', '=', id)
    assert.equal((await kept.execute()).length, 1)
    wait(days(2))
    await deleteOldNotices(db, clock)
    assert.equal((await kept.execute()).length, 0)
  })
})
