import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage } from '../../../tests/support/content.ts'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isoAfter, minutes } from '../../platform/clock.ts'
import { reviews } from '../content-editor/reviews/contract.ts'
import { EXCERPT_LENGTH } from '../inbox/contract.ts'
import { dashboard } from './contract.ts'

suite('Dashboard', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  const deleteMessages = async () => await db.deleteFrom('messages').execute()

  test('the dashboard shows figures to admins only', async () => {
    for (const role of ['editor', 'viewer'] as const) {
      const browser = await signInAs(testApp, (await createStaff(testApp, role)).email)
      const { attention, newest, enquiries } = await browser.call(dashboard.read, {})
      assert.deepEqual([attention, newest, enquiries], [null, null, null])
    }
    assert.equal((await testApp.browser().fetch('/api/dashboard')).status, 401)
  })

  test('the dashboard lists the reviews that wait for the reader, and what goes live next', async () => {
    const author = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    const tasksOf = async (who: typeof admin) => {
      const { content: tasks } = await who.call(dashboard.read, {})
      assert.ok(tasks)
      const ids = tasks.scheduled.map(({ id, liveFrom }) => [id, liveFrom])
      return { waiting: tasks.reviews.map(({ id }) => id), count: tasks.reviewCount, scheduled: ids }
    }
    const nothing = { waiting: [], count: 0, scheduled: [] }
    assert.deepEqual(await tasksOf(admin), nothing)
    await testApp.services.settings.write('content_needs_review', 'true')
    const { id, revision } = await addPage(author)
    const liveFrom = isoAfter(clock, minutes(30))
    const { review } = await author.call(reviews.ask, { id, revision, liveFrom })
    assert.deepEqual(await tasksOf(admin), { waiting: [id], count: 1, scheduled: [] })
    for (const who of [author, viewer]) assert.deepEqual(await tasksOf(who), nothing)
    await admin.call(reviews.approve, { id, number: review.number })
    for (const who of [admin, author, viewer])
      assert.deepEqual(await tasksOf(who), { ...nothing, scheduled: [[id, liveFrom]] })
    await author.send('DELETE', `/api/content/${id}`)
    assert.deepEqual(await tasksOf(admin), nothing)
    await testApp.services.settings.write('content_needs_review', 'false')
  })

  test('the dashboard lists the five newest unread messages, with the beginning of what was written', async () => {
    await deleteMessages()
    const ids = await storeMessages(testApp, [
      {},
      { name: 'Mai Nguyen', form_type: 'tracking', message: `Two\n\n lines  ${'and 😀'.repeat(60)}` },
      { is_read: 1 },
      { message: 'x'.repeat(160) },
      { message: `${'😀'.repeat(160)}y` },
      {},
      {},
    ])
    const { newest } = await admin.call(dashboard.read, {})
    assert.deepEqual(
      newest?.map(({ id }) => id),
      [0, 1, 3, 4, 5].map(at => ids[at]),
    )
    const [, long, exact, emoji] = newest ?? []
    assert.equal(exact?.excerpt, 'x'.repeat(160))
    assert.equal(emoji?.excerpt, `${'😀'.repeat(159)}…`)
    assert.deepEqual([long?.name, long?.formType], ['Mai Nguyen', 'tracking'])
    assert.match(long?.excerpt ?? '', /^Two lines and 😀and .*…$/u)
    assert.equal([...(long?.excerpt ?? '')].length, EXCERPT_LENGTH)
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer', undefined, 'read')).email)
    assert.equal((await viewer.call(dashboard.read, {})).newest?.length, 5)
  })
})
