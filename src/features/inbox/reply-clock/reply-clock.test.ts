import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { overridesFor } from '../../../../tests/support/content.ts'
import {
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { readMessages, storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { officeOf } from '../../../content/office/office.ts'
import { weekdays } from '../../../content/office/office-hours.ts'
import type { SiteBody } from '../../../content/site-body.ts'
import { hours, isoAfter, minutes } from '../../../platform/clock.ts'
import { sampleContent } from '../../../sample/site.server.ts'
import { content } from '../../content-editor/contract.ts'
import { conversation } from '../conversation/contract.ts'
import { recomputeDue } from './update-due.server.ts'

suite('Reply clock', async () => {
  const always = { id: 'hours-1', days: [...weekdays], opens: '00:00', closes: '24:00', byAppointment: false }
  const { site, facts } = sampleContent
  const testApp = await openTestApp({}, { content: { facts, site: { ...site, officeHours: [always] } } })
  const { db, clock, services } = { ...testApp.services, services: testApp.services }
  let ana = await signInToInbox(testApp, 'admin')
  /** A session ends after an hour. */
  async function wait(time: number) {
    testApp.wait(time)
    ana = await signInToInbox(testApp, 'admin')
  }
  const isRunning = () => false

  /** Sends an enquiry. @returns the id of the message */
  async function enquire(): Promise<string> {
    const body = JSON.stringify({
      ...{ name: 'Mai Nguyen', email: 'mai@visitor.test', phone: '+61 400 000 000' },
      message: 'Can my sister join me in Perth?',
    })
    const headers = { 'content-type': 'application/json' }
    const reply = await testApp.browser().fetch('/api/contact', { method: 'POST', headers, body })
    const { reference } = await reply.json()
    const found = db.selectFrom('messages').select('id').where('reference', '=', reference)
    return (await found.executeTakeFirstOrThrow()).id
  }

  const dueOf = async (id: string) => (await ana.open(id)).message.dueAt
  /** Milliseconds between the enquiry and when its answer is due; null while none is. */
  async function timeFor(id: string) {
    const { createdAt, dueAt: due } = (await ana.open(id)).message
    return due === null ? null : Date.parse(due) - Date.parse(createdAt)
  }
  const isNear = (time: number | null, expected: number) =>
    assert.ok(time !== null && Math.abs(time - expected) < minutes(1), `${time} for ${expected}`)

  test('an enquiry is due after eight office hours, and overdue then', async () => {
    const id = await enquire()
    assert.equal(await timeFor(id), hours(8))
    const overdue = async () => (await readMessages(ana.browser, { overdue: 'true' })).ids
    await wait(hours(8) - minutes(1))
    assert.deepEqual(await overdue(), [])
    testApp.wait(minutes(1))
    assert.deepEqual(await overdue(), [id])
    await ana.reply(id, 'An answer')
    assert.deepEqual(await overdue(), [])
  })

  test('a reply stops the clock, and taking it back starts it as it was', async () => {
    const id = await enquire()
    const before = await dueOf(id)
    const { id: replyId } = await ana.reply(id, 'An answer')
    assert.equal(await dueOf(id), null)
    assert.equal((await ana.undo(id, replyId)).status, 200)
    assert.equal(await dueOf(id), before)
  })

  test('a call that reaches nobody leaves the visitor waiting: only one that reached them is an answer (found I7)', async () => {
    const id = await enquire()
    const due = (await ana.open(id)).message.dueAt
    assert.ok(due)
    for (const outcome of ['no-answer', 'left-message'] as const) {
      const call = { id, body: '', direction: 'out', outcome } as const
      const { entry } = await ana.browser.call(conversation.addCall, call)
      assert.deepEqual([entry.outcome, entry.direction, entry.minutes], [outcome, 'out', undefined])
      assert.equal((await ana.open(id)).message.dueAt, due, outcome)
    }
    const firstReply = async () => {
      const row = db.selectFrom('messages').select('first_reply_week').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).first_reply_week
    }
    const answered = async () => (await readMessages(ana.browser, { answeredBy: ana.id })).ids.includes(id)
    assert.deepEqual([await firstReply(), await answered()], [null, false])
    const call = { id, body: 'She asked for the fees.', direction: 'in', outcome: 'reached' } as const
    await ana.browser.call(conversation.addCall, { ...call, minutes: 12 })
    const { message, entries } = await ana.open(id)
    assert.equal(message.dueAt, null)
    assert.ok(await firstReply())
    assert.ok(await answered())
    const { outcome, direction, minutes, body } = entries.at(-1) ?? {}
    assert.deepEqual({ id, body, direction, outcome, minutes }, { ...call, minutes: 12 })
  })

  test('the old shape of a phone call counts as one that reached the visitor, and a call that did needs words (found I7)', async () => {
    const id = await enquire()
    const send = async (call: object) => await ana.browser.send('POST', `/api/messages/${id}/calls`, call)
    for (const [call, field] of [
      [{ body: ' ' }, 'body'],
      [{ body: '', outcome: 'reached' }, 'body'],
      [{ body: 'x', outcome: 'busy' }, 'outcome'],
      [{ body: 'x', direction: 'up' }, 'direction'],
      [{ body: 'x', minutes: -1 }, 'minutes'],
      [{ body: 'x', minutes: 1.5 }, 'minutes'],
      [{ body: 'x', minutes: 1441 }, 'minutes'],
    ] as const) {
      const reply = await send(call)
      assert.equal(reply.status, 400, JSON.stringify(call))
      assert.deepEqual(Object.keys((await reply.json()).errors), [field])
    }
    const { entry } = await (await send({ body: 'I called' })).json()
    assert.deepEqual([entry.outcome, 'direction' in entry, 'minutes' in entry], ['reached', false, false])
    assert.equal((await ana.open(id)).message.dueAt, null)
  })

  test('a phone call stops the clock; notes, reading, assigning and tags do not', async () => {
    const id = await enquire()
    const before = await dueOf(id)
    await ana.note(id, 'A note')
    await ana.draft(id, 'reply', 'A draft')
    await ana.change(id, { isRead: true, assignee: 'me', tags: ['vip'] })
    assert.equal(await dueOf(id), before)
    await ana.browser.call(conversation.addCall, { id, body: 'I called' })
    assert.equal(await dueOf(id), null)
  })

  test('waiting, closed and spam stop the clock until the message is open again, and a snooze moves it', async () => {
    const id = await enquire()
    let paused = 0
    for (const status of ['waiting', 'closed', 'spam']) {
      await ana.change(id, { status })
      assert.equal(await dueOf(id), null, status)
      await wait(hours(1))
      paused += hours(1)
      await ana.change(id, { status: 'open' })
      isNear(await timeFor(id), hours(8) + paused)
    }
    await ana.change(id, { snoozedUntil: isoAfter(clock, hours(5)) })
    isNear(await timeFor(id), hours(8) + paused + hours(5))
    await ana.change(id, { snoozedUntil: null })
    isNear(await timeFor(id), hours(8) + paused)
  })

  test('a reply that cannot be sent starts the clock again, and sending it again stops it', async context => {
    const id = await enquire()
    const before = await dueOf(id)
    testApp.mailServer.behaviour = 'too large'
    context.after(() => {
      testApp.mailServer.behaviour = 'accept'
    })
    const { id: replyId } = await ana.reply(id, 'An answer')
    assert.equal(await dueOf(id), null)
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    assert.equal(await dueOf(id), before)
    await ana.browser.call(conversation.retryReply, { id, replyId })
    assert.equal(await dueOf(id), null)
  })

  test('a message from before there were office hours stays without', async () => {
    const id = await storeMessage(testApp)
    await ana.change(id, { status: 'closed' })
    await ana.change(id, { status: 'open' })
    await ana.undo(id, (await ana.reply(id, 'An answer')).id)
    await publish({ replyHours: 3 })
    await recomputeDue(services, isRunning)
    assert.equal(await dueOf(id), null)
    await publish({ replyHours: 8 })
  })

  async function publish(change: Partial<SiteBody>) {
    const { documents } = await ana.browser.call(content.list, { kind: 'site' })
    const id = documents[0]?.id ?? ''
    const { draft } = await ana.browser.call(content.open, { id })
    const body = { ...services.content.read().site, ...change }
    const { revision } = await ana.browser.call(content.saveDraft, { id, body, revision: draft.revision })
    await ana.browser.call(content.publish, { id, revision, overrides: overridesFor(body) })
  }

  /** Messages whose answer is due, by the time that they have. Milliseconds. */
  async function countTimes(): Promise<Record<string, number>> {
    const rows = await db.selectFrom('messages').select(['created_at', 'due_at', 'status']).execute()
    const times = rows.map(row =>
      row.due_at ? Date.parse(row.due_at) - Date.parse(row.created_at) : row.status,
    )
    return Object.fromEntries([...new Set(times)].map(time => [time, times.filter(it => it === time).length]))
  }

  test('new hours change when answers are due, also when the work was cut short or is shared', async () => {
    await db.deleteFrom('messages').execute()
    const { key } = officeOf(services.content.read().site)
    await storeMessages(testApp, Array(130).fill({ due_rule: key }))
    await storeMessages(testApp, [{ due_rule: key, status: 'closed' }])
    await storeMessages(testApp, [{}])
    await publish({ replyHours: 2 })
    let asked = 0
    await recomputeDue(services, () => asked++ > 0)
    assert.deepEqual(await countTimes(), { [hours(2)]: 50, open: 81, closed: 1 }, 'the process ended')
    await Promise.all([recomputeDue(services, isRunning), recomputeDue(services, isRunning)])
    assert.deepEqual(await countTimes(), { [hours(2)]: 130, open: 1, closed: 1 })
    await publish({ replyHours: null })
    await recomputeDue(services, isRunning)
    assert.deepEqual(await countTimes(), { open: 131, closed: 1 }, 'without a target nothing is due')
    await publish({ replyHours: 8 })
    await recomputeDue(services, isRunning)
    assert.deepEqual(await countTimes(), { [hours(8)]: 130, open: 1, closed: 1 })
    const changed = await db.selectFrom('messages').select('id').where('version', '!=', 1).execute()
    assert.deepEqual(changed, [], 'nobody has changed a message')
  })
})
