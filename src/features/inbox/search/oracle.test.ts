import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { parseCsv } from '../../../../tests/support/csv.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { messages } from '../contract.ts'
import { indexAll } from './index.server.ts'

interface Person {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly reference: string
  readonly message: string
  readonly details?: Readonly<Record<string, string>>
  readonly replies?: readonly string[]
  readonly calls?: readonly string[]
  readonly notes?: readonly string[]
  readonly tags?: readonly string[]
}

interface Pair {
  readonly q: string
  /** Whom a search finds, in the order of the people. */
  readonly found: readonly string[]
  /** Where it says that the words are. */
  readonly field?: string
  /** Asked of the export, which no note decides. */
  readonly export?: true
}

interface Oracle {
  readonly people: Readonly<Record<string, Person>>
  readonly pairs: readonly Pair[]
}

const oracle: Oracle = JSON.parse(readFileSync('tests/fixtures/search-oracle.json', 'utf8'))

suite('Search for what staff remember', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const ids = new Map<string, string>()
  for (const [key, person] of Object.entries(oracle.people)) ids.set(key, await store(person))
  const names = new Map([...ids].map(([key, id]) => [id, key]))

  async function store({ details, replies = [], calls = [], notes = [], tags = [], ...fields }: Person) {
    const [message_id = ''] = await storeMessages(testApp, [
      { ...fields, details: details ? JSON.stringify(details) : null },
    ])
    const made = { message_id, author_id: null, created_at: clock().toISOString() }
    const entries = [
      ...replies.map(body => ({ kind: 'reply' as const, body })),
      ...calls.map(body => ({ kind: 'call' as const, body })),
    ]
    for (const [at, entry] of entries.entries())
      await db
        .insertInto('entries')
        .values({ ...made, ...entry, id: newId(clock()), seq: at + 1, detail: null, cc: null })
        .execute()
    for (const body of notes)
      await db
        .insertInto('notes')
        .values({ ...made, body, id: newId(clock()) })
        .execute()
    for (const tag of tags) await db.insertInto('message_tags').values({ message_id, tag }).execute()
    return message_id
  }

  async function find(q: string) {
    const { messages: found } = await admin.call(messages.list, { q, limit: 200 })
    for (const { match } of found) assert.ok(match && match.marks.length > 0, `${q} has its reason`)
    return { found: found.map(({ id }) => names.get(id) ?? ''), field: found[0]?.match?.field }
  }

  async function findInExport(q: string) {
    const response = await admin.fetch(`/api/messages/export?q=${encodeURIComponent(q)}`)
    const [, ...rows] = parseCsv(await response.text())
    return { found: rows.map(([reference]) => keyOf(reference ?? '')), field: undefined }
  }

  const keyOf = (reference: string) =>
    Object.keys(oracle.people).find(key => oracle.people[key]?.reference === reference) ?? ''

  /** The answers that differ from the expected ones. */
  async function differences() {
    const wrong: string[] = []
    for (const { q, found, ...pair } of oracle.pairs) {
      const answer = await (pair.export ? findInExport(q) : find(q))
      const [actual, expected] = [answer.found.toSorted().join(), found.toSorted().join()]
      if (pair.field && answer.field !== pair.field) wrong.push(`${q}: in the ${answer.field}`)
      if (actual !== expected) wrong.push(`${q}: ${actual || 'nothing'} instead of ${expected || 'nothing'}`)
    }
    return wrong
  }

  test('a search finds what staff remember in each of two hundred cases, the moment it arrives (found I2)', async () => {
    assert.ok(oracle.pairs.length >= 200)
    assert.deepEqual(await differences(), [])
  })

  test('a search finds the same in each of two hundred cases once everything is indexed (found I2)', async () => {
    await indexAll(testApp.services)
    const unindexed = db
      .selectFrom('messages')
      .leftJoin('search_words', 'search_words.message_id', 'messages.id')
      .where(eb => eb.or([eb('search_words.message_id', 'is', null), eb('is_stale', '=', 1)]))
    assert.deepEqual(await unindexed.select('messages.id').execute(), [])
    assert.deepEqual(await differences(), [])
  })
})
