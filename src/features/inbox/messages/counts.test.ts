import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Colleague, signInToInbox } from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { isoAfter, minutes } from '../../../platform/clock.ts'
import { messages } from '../contract.ts'

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
    const all = { ...found, snoozeEndsIn: 5, unread: 6, notices: 0, isPartial: false }
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
    const counted = { ...none, snoozeEndsIn: null, open: 1000, unread: 1000, notices: 0 }
    assert.deepEqual(await countsFor(ana), { ...counted, isPartial: false })
    await storeMessages(testApp, [{ assignee_id: ben.id }])
    assert.deepEqual(await countsFor(ana), { ...counted, isPartial: true })
  })
})
