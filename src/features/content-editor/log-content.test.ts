import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { publishPage } from '../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { archive, content } from './contract.ts'
import { facts } from './facts/contract.ts'
import { reviews } from './reviews/contract.ts'

suite('The log of the content', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const staff = [await createStaff(testApp, 'editor'), await createStaff(testApp, 'editor')] as const
  const ana = await signInAs(testApp, staff[0].email)
  const ben = await signInAs(testApp, staff[1].email)

  async function readLog(about: string) {
    await services.flushLog()
    const query = services.db.selectFrom('logs').select(['message', 'details', 'user_id'])
    const rows = await query.where('details', 'like', `%"${about}"%`).orderBy('id').execute()
    return rows.map(({ message, details, user_id: userId }) => ({ message, userId, ...JSON.parse(details) }))
  }

  test('each entry names the document, its path, the version and the person', async () => {
    const { id, path } = await publishPage(ana)
    await ana.call(archive.delete, { id })
    await ben.call(archive.restore, { id })
    await ana.call(content.restore, { id, number: 1 })
    await ben.call(content.unpublish, { id })
    await ana.call(archive.delete, { id })
    await ana.call(archive.restore, { id })
    await services.settings.write('content_needs_review', 'true')
    const ask = async () => {
      const { draft } = await ana.call(content.open, { id })
      return (await ana.call(reviews.ask, { id, revision: draft.revision })).review
    }
    await ben.call(reviews.decline, { id, number: (await ask()).number, note: 'No' })
    await ana.call(reviews.withdraw, { id, number: (await ask()).number })
    await ben.call(reviews.approve, { id, number: (await ask()).number })
    await services.settings.write('content_needs_review', 'false')
    const entries = await readLog(id)
    assert.ok(entries.every(entry => entry.document === id && entry.path === path))
    assert.deepEqual(
      entries.map(({ message, version, userId }) => [
        message,
        version,
        staff.findIndex(it => it.id === userId),
      ]),
      [
        ['Content added', null, 0],
        ['Content published', 1, 0],
        ['Content deleted', 1, 0],
        ['Content undeleted', 1, 1],
        ['Content version restored', 1, 0],
        ['Content taken offline', 1, 1],
        ['Content deleted', null, 0],
        ['Content undeleted', null, 0],
        ['Content review requested', 2, 0],
        ['Content review declined', 2, 1],
        ['Content review requested', 3, 0],
        ['Content review withdrawn', 3, 0],
        ['Content review requested', 4, 0],
        ['Content published', 4, 1],
        ['Content review approved', 4, 1],
      ],
    )
  })

  test('each entry about a fact names the fact, its row and the person', async () => {
    const { facts: all } = await ana.call(facts.list, {})
    const { name, fact, revision } = all[0] ?? assert.fail()
    const first = await ana.call(facts.change, { name, fact: { ...fact, value: 'One' }, revision })
    await services.settings.write('content_needs_review', 'true')
    const propose = async () => {
      const change = { name, fact: { ...fact, value: 'Two' }, revision: first.fact.revision }
      return (await ana.call(facts.change, change)).fact.proposal?.id ?? ''
    }
    await ben.call(facts.discard, { name, proposal: await propose() })
    const last = await ben.call(facts.approve, { name, proposal: await propose() })
    await services.settings.write('content_needs_review', 'false')
    const [before, after] = [first.fact.revision, last.fact.revision]
    assert.deepEqual(
      (await readLog(name)).map(({ message, fact: named, row, userId }) => [
        message,
        named === name && row,
        staff.findIndex(it => it.id === userId),
      ]),
      [
        ['Fact changed', before, 0],
        ['Fact review requested', before, 0],
        ['Fact review discarded', before, 1],
        ['Fact review requested', before, 0],
        ['Fact changed', after, 1],
      ],
    )
  })
})
