import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { officeOf } from '../../../content/office/office.ts'
import { weekdays } from '../../../content/office/office-hours.ts'
import { days, hours, isoAfter, minutes } from '../../../platform/clock.ts'
import { sampleContent } from '../../../sample/site.server.ts'
import { erasePerson } from '../../privacy/erase.server.ts'
import { recomputeDue } from '../reply-clock/update-due.server.ts'

suite('Reply clock of merged messages', async () => {
  const always = { id: 'hours-1', days: [...weekdays], opens: '00:00', closes: '24:00', byAppointment: false }
  const { site, facts } = sampleContent
  const testApp = await openTestApp({}, { content: { facts, site: { ...site, officeHours: [always] } } })
  const { services, mailServer } = testApp
  const { db, clock, content } = services
  const ana = await signInToInbox(testApp, 'admin')

  /** An enquiry that came some time ago. Its answer is due after eight hours. */
  async function enquire(age: number, change = {}) {
    const { key } = officeOf(content.read().site)
    return await storeMessage(testApp, { created_at: isoAfter(clock, -age), due_rule: key, ...change })
  }
  const merge = ana.merge
  const undo = async (id: string) =>
    assert.equal((await ana.browser.send('DELETE', `/api/messages/${id}/merge`)).status, 200)
  const dueOf = async (id: string) => (await ana.open(id)).message.dueAt
  async function eightHoursAfter(id: string) {
    const { createdAt } = (await ana.open(id)).message
    return new Date(Date.parse(createdAt) + hours(8)).toISOString()
  }
  /** Within a minute, because what pauses a clock takes some milliseconds itself. */
  async function isLate(id: string, enquiry: string, by: number) {
    const late = Date.parse((await dueOf(id)) ?? '') - Date.parse(await eightHoursAfter(enquiry))
    assert.ok(Math.abs(late - by) < minutes(1), `${late} ms`)
  }
  const recompute = async () => await recomputeDue(services, () => false)

  test('an enquiry that comes after the answer to another is due after a merge as before, also where that one was closed', async () => {
    for (const change of [{}, { status: 'closed' as const }]) {
      const kept = await enquire(hours(5))
      await ana.reply(kept, 'An answer', change)
      testApp.wait(minutes(1))
      const other = await enquire(0)
      testApp.wait(minutes(1))
      await merge(other, kept)
      assert.equal(await dueOf(kept), await eightHoursAfter(other))
      assert.equal(await dueOf(other), null)
      await undo(other)
      assert.deepEqual([await dueOf(kept), await dueOf(other)], [null, await eightHoursAfter(other)])
    }
  })

  test('of two enquiries without an answer, the older one says when the answer is due', async () => {
    const [old, recent, latest] = [await enquire(hours(3)), await enquire(hours(2)), await enquire(hours(1))]
    await merge(old, recent)
    await merge(latest, recent)
    assert.equal(await dueOf(recent), await eightHoursAfter(old))
    await undo(old)
    assert.equal(await dueOf(recent), await eightHoursAfter(recent))
    await undo(latest)
    await merge(old, latest)
    assert.equal(await dueOf(latest), await eightHoursAfter(old), 'merged into another one now')
  })

  test('an answer counts for all that had come by then, before and after a merge, until it is taken back', async () => {
    const [other, kept] = [await enquire(hours(2)), await enquire(hours(1))]
    const { id } = await ana.reply(other, 'An answer')
    await merge(other, kept)
    assert.equal(await dueOf(kept), null)
    await ana.undo(kept, id)
    assert.equal(await dueOf(kept), await eightHoursAfter(other))
    await ana.reply(kept, 'An answer to both')
    assert.equal(await dueOf(kept), null)
    await undo(other)
    assert.equal(await dueOf(other), await eightHoursAfter(other), 'it has no answer of its own')
  })

  for (const status of ['closed', 'waiting'] as const)
    test(`an enquiry whose reply had made it ${status} is open and due once that reply is taken back, also after a merge`, async () => {
      const kept = await enquire(hours(3))
      await ana.reply(kept, 'An answer', { status })
      testApp.wait(minutes(1))
      const other = await enquire(0)
      const { id } = await ana.reply(other, 'An answer', { status })
      await merge(other, kept)
      assert.equal(await dueOf(kept), null)
      await ana.undo(kept, id)
      await isLate(kept, other, 0)
      await undo(other)
      await isLate(other, other, 0)
    })

  for (const status of ['closed', 'spam', 'waiting'])
    test(`an enquiry that was ${status} without an answer makes nothing due that it is merged into, also once that is opened again`, async () => {
      const kept = await enquire(hours(3))
      await ana.reply(kept, 'An answer')
      testApp.wait(minutes(1))
      const other = await enquire(0)
      await ana.change(other, { status })
      await merge(other, kept)
      assert.equal(await dueOf(kept), null)
      await ana.change(kept, { status: 'closed' })
      await ana.change(kept, { status: 'open' })
      assert.equal(await dueOf(kept), null)
      await undo(other)
      await ana.change(other, { status: 'open' })
      assert.notEqual(await dueOf(other), null, 'its own clock goes on')
      await merge(other, kept)
      assert.notEqual(await dueOf(kept), null)
    })

  test('a failed reply that had closed an enquiry makes it due again, also after a merge', async () => {
    const kept = await enquire(hours(3))
    await ana.reply(kept, 'An answer')
    testApp.wait(minutes(1))
    const other = await enquire(0)
    mailServer.behaviour = 'too large'
    const { id } = await ana.reply(other, 'Too large', { status: 'closed' })
    await merge(other, kept)
    assert.equal(await dueOf(kept), null)
    passUndoTime(testApp)
    await untilDelivered(testApp, id, 'failed')
    mailServer.behaviour = 'accept'
    assert.notEqual(await dueOf(kept), null)
  })

  test('an open enquiry is awake once it is merged', async () => {
    const kept = await enquire(hours(3))
    await ana.reply(kept, 'An answer')
    testApp.wait(minutes(1))
    const other = await enquire(0)
    await ana.change(other, { snoozedUntil: isoAfter(clock, days(60)) })
    testApp.wait(minutes(1))
    await merge(other, kept)
    const due = (await dueOf(kept)) ?? ''
    assert.ok(due > isoAfter(clock) && due <= isoAfter(clock, hours(8)), due)
  })

  test('a pause of the kept message pauses the clock of what is merged into it', async () => {
    const [other, kept] = [await enquire(hours(2)), await enquire(hours(1))]
    await merge(other, kept)
    await ana.change(kept, { status: 'closed' })
    assert.equal(await dueOf(kept), null)
    testApp.wait(minutes(10))
    await ana.change(kept, { status: 'open' })
    await isLate(kept, other, minutes(10))
  })

  test('a reply of a merged message that fails has answered nothing, and is no first reply of any', async () => {
    const [kept, other] = [await enquire(hours(2)), await enquire(hours(1))]
    const { id: first } = await ana.reply(kept, 'An answer')
    passUndoTime(testApp)
    await untilDelivered(testApp, first)
    testApp.wait(minutes(1))
    const late = await enquire(0)
    mailServer.behaviour = 'too large'
    const { id } = await ana.reply(late, 'Too large')
    await merge(late, kept)
    await merge(other, kept)
    assert.equal(await dueOf(kept), null)
    passUndoTime(testApp)
    await untilDelivered(testApp, id, 'failed')
    mailServer.behaviour = 'accept'
    assert.equal(await dueOf(kept), await eightHoursAfter(late))
    const weeks = db.selectFrom('messages').select(['id', 'first_reply_week']).where('id', 'in', [kept, late])
    const counted = (await weeks.execute()).filter(row => row.first_reply_week !== null)
    assert.equal(counted.map(row => row.id).join(), kept)
  })

  test('once a merged message is deleted or its person erased, its enquiry is no longer due', async () => {
    const change = { email: 'another@visitor.test', phone: '0400 999 000' }
    const [erased, deleted] = [await enquire(hours(3), change), await enquire(hours(2))]
    const kept = await enquire(hours(1), { phone: change.phone })
    await merge(erased, kept)
    await merge(deleted, kept)
    await erasePerson(services, change.email, 'ER-TEST')
    await recompute()
    assert.equal(await dueOf(kept), await eightHoursAfter(deleted))
    await ana.browser.send('DELETE', `/api/messages/${deleted}`)
    await recompute()
    assert.equal(await dueOf(kept), await eightHoursAfter(kept))
  })

  test('a message from before there were office hours is due by what is merged into it, and only so long', async () => {
    const [old, other] = [await storeMessage(testApp), await enquire(hours(1))]
    await merge(other, old)
    assert.equal(await dueOf(old), await eightHoursAfter(other))
    await undo(other)
    assert.equal(await dueOf(old), null)
  })
})
