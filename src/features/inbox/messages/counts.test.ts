import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type * as z from 'zod/mini'
import { type Colleague, signInToInbox } from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { isoAfter, minutes } from '../../../platform/clock.ts'
import { messages } from '../contract.ts'
import { savedViews } from '../views/contract.ts'

suite('Counts of the views', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const [ana, ben] = [await signInToInbox(testApp, 'admin'), await signInToInbox(testApp)]
  const clear = async () => await db.deleteFrom('messages').execute()
  const countsFor = async ({ browser }: Colleague) => {
    const reply = await browser.call(messages.counts, {})
    const { snoozeEndsIn: time } = reply
    const snoozeEndsIn = time === null ? null : Math.floor(time / minutes(1))
    const { success: _, ...counts } = { ...reply, snoozeEndsIn } as typeof reply & { success: true }
    return counts
  }

  test('each member of staff sees how many messages are open, theirs, nobody’s, overdue, waiting, snoozed, spam and unread', async () => {
    await clear()
    const late = { due_at: isoAfter(clock, -1) }
    const soon = { snoozed_until: isoAfter(clock, minutes(5)) }
    const rows: Parameters<typeof storeMessages>[1] = [
      {},
      { is_read: 1, assignee_id: ana.id, ...late },
      { assignee_id: ben.id, ...late, ...soon },
      { assignee_id: ben.id },
      { status: 'waiting', assignee_id: ben.id, ...late },
      { status: 'waiting', ...soon },
      { status: 'closed', assignee_id: ana.id },
      { status: 'spam' },
    ]
    await storeMessages(
      testApp,
      rows.map(row => ({ status: 'open', assignee_id: null, due_at: null, snoozed_until: null, ...row })),
    )
    const found = { open: 4, nobody: 1, overdue: 1, waiting: 2, snoozed: 2, spam: 1 }
    const all = { ...found, snoozeEndsIn: 5, unread: 6, notices: 0, saved: {}, isPartial: false }
    assert.deepEqual(await countsFor(ana), { ...all, mine: 1 })
    assert.deepEqual(await countsFor(ben), { ...all, mine: 2 })
    testApp.wait(minutes(6))
    assert.deepEqual(
      await countsFor(ana),
      { ...all, mine: 1, overdue: 2, snoozed: 0, snoozeEndsIn: null },
      'once the snooze has ended',
    )
  })

  test('a view is counted up to a thousand, and says when not all messages were read', async () => {
    await clear()
    await storeMessages(testApp, Array(1999).fill({ assignee_id: ben.id }))
    const none = { mine: 0, nobody: 0, overdue: 0, waiting: 0, snoozed: 0, spam: 0 }
    const counted = { ...none, snoozeEndsIn: null, open: 1000, unread: 1000, notices: 0, saved: {} }
    assert.deepEqual(await countsFor(ana), { ...counted, isPartial: false })
    await storeMessages(testApp, [{ assignee_id: ben.id }])
    assert.deepEqual(await countsFor(ana), { ...counted, isPartial: true })
  })

  test('a saved view is counted as its list has it, where what is open, waiting or spam is all that it shows', async () => {
    await clear()
    const [merged = ''] = await storeMessages(testApp, [{ assignee_id: ana.id }])
    const usual = {
      status: 'open',
      form_type: 'contact',
      is_read: 0,
      due_at: null,
      verification: 'off',
    } as const
    const rows: Parameters<typeof storeMessages>[1] = [
      { assignee_id: ana.id, form_type: 'tracking' },
      { assignee_id: ana.id, is_read: 1, due_at: isoAfter(clock, -1) },
      { assignee_id: ben.id, status: 'waiting', verification: 'suspect:0.1' },
      { assignee_id: ana.id, status: 'closed' },
      { assignee_id: null, status: 'spam' },
    ]
    const ids = await storeMessages(
      testApp,
      rows.map(row => ({ ...usual, ...row })),
    )
    await db.updateTable('messages').set({ merged_into: ids[0] }).where('id', '=', merged).execute()
    await db
      .insertInto('message_tags')
      .values({ message_id: ids[1] ?? '', tag: 'family' })
      .execute()
    const save = async (filter: z.input<typeof savedViews.add.input>['filter']) =>
      (await ana.browser.call(savedViews.add, { name: newId(clock()), filter })).view.id
    const filters = [
      { status: 'open', assignee: 'me' },
      { status: 'open', tag: 'family', order: 'activity' },
      { status: 'open', formType: 'tracking', isRead: 'true' },
      { status: 'waiting', verification: 'suspect' },
      { status: 'spam', received: '2020-01-01T00:00:00.000Z/..' },
      { overdue: 'true' },
      { status: 'open', following: 'true' },
      { status: 'open', scheduled: 'true', snoozed: 'true', firstReplyWeek: '2026-11-16' },
    ] as const
    const counts = []
    for (const filter of filters) {
      const listed = await ana.browser.call(messages.list, filter)
      counts.push([await save(filter), listed.messages.length])
    }
    assert.deepEqual(
      counts.map(([, count]) => count),
      [2, 1, 0, 1, 1, 1, 0, 0],
    )
    for (const filter of [
      { q: 'family', status: 'open' },
      { status: 'closed' },
      { tag: 'family' },
      { status: 'open', answeredBy: ana.id },
    ] as const)
      await save(filter)
    assert.deepEqual((await countsFor(ana)).saved, Object.fromEntries(counts))
    assert.deepEqual((await countsFor(ben)).saved, {})
    await storeMessages(testApp, Array(1001).fill({ assignee_id: ana.id }))
    assert.equal((await countsFor(ana)).saved[String(counts[0]?.[0])], 1000)
  })
})
