import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { atLength } from '../../../../tests/support/at-length.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import fc from '../../../../tests/support/properties.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import type { MessageRow } from '../../../database/tables.ts'
import { minutes } from '../../../platform/clock.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'
import { findPage } from '../messages/list.server.ts'
import { indexAll } from './index.server.ts'
import { joinTexts, matches as matchesTexts, prepareText } from './prepared-text.ts'
import { parseSearch } from './query.ts'
import { visitorTexts } from './texts.server.ts'

type NonEmpty<T> = readonly [T, ...T[]]

const names: NonEmpty<string> = [
  'Li Ming',
  'LÊ NGUYỄN',
  'Zoë O’Brien',
  '李伟',
  'Mai Nguyen',
  'Ana Li',
  'Kaya ÖZ',
]
const addresses: NonEmpty<string> = [
  'ana@gmail.example',
  'ANA@post.example',
  'zoë@GMAIL.example',
  'li.ming@x.example',
]
const texts: NonEmpty<string> = [
  'My sister is a nurse.',
  '100% "sure", or a_b?',
  'back\\slash',
  '移民签证',
  'In Perth: C++',
]
const types: NonEmpty<MessageRow['form_type']> = ['contact', 'tracking', 'visa-assessment']

const words = [...names, ...addresses, ...texts].flatMap(text => [
  text,
  text.toLowerCase(),
  text.toUpperCase(),
  ...text.split(' '),
])
const searches = fc
  .array(fc.constantFrom(...words, 'is', 'a', 'ming@', '%', '__', 'kookaburra'), {
    minLength: 1,
    maxLength: 3,
  })
  .map(chosen => chosen.join(' '))
const filters = fc.record(
  { isRead: fc.constantFrom('true', 'false'), formType: fc.constantFrom(...types) },
  { requiredKeys: [] },
)
const pages = fc.record({ limit: fc.constantFrom(3, 100, 200), towards: fc.constantFrom('older', 'newer') })

suite('Search results', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  // Several chunks, without a pattern; the older ones are indexed, as after an upgrade.
  const changes = Array.from({ length: 1200 }, (_, at) => ({
    name: pick(names, 2 * at + 1),
    email: pick(addresses, 3 * at + 1),
    message: pick(texts, 5 * at + 1),
    form_type: pick(types, 7 * at + 1),
    is_read: pick([0, 1, 1, 1] as const, 11 * at + 1),
  }))
  testApp.wait(-minutes(1))
  await storeMessages(testApp, changes)
  await indexAll(testApp.services)
  testApp.wait(minutes(1))
  await storeMessages(testApp, changes.slice(0, 100))
  const newestFirst = await db.selectFrom('messages').selectAll().orderBy('id', 'desc').execute()

  test('a search finds the same messages as reading them all, in order, page by page, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(searches, filters, pages, async (q, filter, { limit, towards }) => {
        const found: string[] = []
        let from: string | undefined
        do {
          const page = await findPage(db, { q, ...filter, now: '', userId: '' }, { from, towards }, limit)
          found.push(...page.found.map(({ id }) => id))
          from = page.next ?? undefined
        } while (from)
        const expected = newestFirst.filter(row => matches(row, { q, ...filter })).map(({ id }) => id)
        assert.deepEqual(found, towards === 'older' ? expected : expected.toReversed())
      }),
      { numRuns: atLength(50, 150) },
    )
  })
})

/** A pseudo-random choice; each occurs about equally often. */
function pick<T>(choices: NonEmpty<T>, at: number): T {
  return choices[(Math.imul(at, 0x9e3779b1) >>> 8) % choices.length] ?? choices[0]
}

/** By the texts of the row itself: the cases of `search/oracle.test.ts` say what matches them. */
function matches(row: MessageRow, { q = '', isRead, formType }: MessageFilter): boolean {
  const texts = visitorTexts({ ...row, details: {}, tags: [] })
  return (
    (!formType || row.form_type === formType) &&
    (!isRead || row.is_read === (isRead === 'true' ? 1 : 0)) &&
    matchesTexts(parseSearch(q), [joinTexts(texts.map(text => prepareText(text)))])
  )
}
