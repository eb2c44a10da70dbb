import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { undoBulk } from '../../../../tests/support/bulk.ts'
import { signInToInbox } from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { isoAfter, minutes } from '../../../platform/clock.ts'
import { users } from '../../users/contract.ts'
import { type BulkChange, bulk } from './contract.ts'

suite('Undoing a change of many messages of which something cannot be given back', async () => {
  const testApp = await openTestApp()
  const ana = await signInToInbox(testApp)
  const admin = await signInToInbox(testApp, 'admin')
  const stateOf = async (id: string) => {
    const { status, assignee, tags } = (await ana.open(id)).message
    return [status, assignee?.id ?? null, tags.join()]
  }

  const losses = {
    'loses the permission': async (id: string) =>
      await admin.browser.call(users.change, { id, inbox: 'read' }),
    'is deleted': async (id: string) => await admin.browser.call(users.delete, { id }),
  }
  for (const [loss, lose] of Object.entries(losses))
    test(`everything else is given back when the former assignee ${loss}, and the reply names the messages`, async () => {
      const former = await createStaff(testApp, 'editor', undefined, 'answer')
      const [lost = '', kept = ''] = await storeMessages(testApp, [
        { status: 'waiting', assignee_id: former.id },
        { status: 'waiting', assignee_id: admin.id },
      ])
      const change: BulkChange = { status: 'open', assignee: 'me', addTags: ['x'] }
      const result = await ana.browser.call(bulk.change, { ids: [lost, kept], change })
      await lose(former.id)
      for (const round of ['first', 'repeated']) {
        const outcome = { changed: [lost, kept], failed: [], unassigned: [lost] }
        assert.deepEqual(await undoBulk(ana.browser, result), outcome, round)
        assert.deepEqual(await stateOf(lost), ['waiting', null, ''])
        assert.deepEqual(await stateOf(kept), ['waiting', admin.id, ''])
      }
    })

  test('a message is closed again that was released when it was opened, and the reply names it', async () => {
    const former = await createStaff(testApp, 'editor', undefined, 'answer')
    const ids = await storeMessages(testApp, [{ status: 'closed', assignee_id: former.id }])
    await admin.browser.call(users.change, { id: former.id, inbox: 'read' })
    const result = await ana.browser.call(bulk.change, { ids, change: { status: 'open' } })
    const outcome = { changed: ids, failed: [], unassigned: ids }
    assert.deepEqual(await undoBulk(ana.browser, result), outcome)
    assert.deepEqual(await stateOf(ids[0] ?? ''), ['closed', null, ''])
  })

  test('a snooze that has ended meanwhile is not given back, and the rest is', async () => {
    const { clock } = testApp.services
    const snoozed = { status: 'open', snoozed_until: isoAfter(clock, minutes(5)) } as const
    const ids = await storeMessages(testApp, [snoozed])
    const change: BulkChange = { snoozedUntil: null, addTags: ['x'] }
    const result = await ana.browser.call(bulk.change, { ids, change })
    testApp.wait(minutes(5))
    assert.deepEqual(await undoBulk(ana.browser, result), { changed: ids, failed: [], unassigned: [] })
    const { tags, snoozedUntil } = (await ana.open(ids[0] ?? '')).message
    assert.deepEqual([tags, snoozedUntil], [[], null])
  })

  test('a change that is not an undo is refused for who cannot answer', async () => {
    const { id: assignee } = await createStaff(testApp, 'editor', undefined, 'read')
    const ids = await storeMessages(testApp, [{}])
    const { failed } = await ana.browser.call(bulk.change, { ids, change: { assignee } })
    assert.deepEqual(failed, [
      { id: ids[0], status: 400, message: 'Choose somebody who may answer messages' },
    ])
  })
})
