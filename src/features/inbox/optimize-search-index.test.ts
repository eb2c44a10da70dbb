import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isPostgres } from '../../database/engine.ts'
import { messages } from './contract.ts'
import { optimizeSearchIndex } from './optimize-search-index.server.ts'

suite('The index of messages', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const told: string[] = []
  const needed = { db, log: (_: unknown, __: unknown, line: string) => told.push(line) }

  test('is merged unless the process stops, and finds what it found', async context => {
    if (isPostgres(db)) return context.skip('SQLite only')
    for (let count = 0; count < 40; count++)
      await storeMessages(testApp, Array(10).fill({ name: `Lorikeet no-${count}-` }))
    const before = await countSegments()
    await optimizeSearchIndex(needed, () => true)
    assert.equal(await countSegments(), before)
    await optimizeSearchIndex(needed)
    const after = await countSegments()
    assert.ok(before > 3 && after < 3, `${before}, then ${after} segments`)
    await sql`insert into message_search (message_search) values ('integrity-check')`.execute(db)
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const found = await admin.call(messages.list, { q: 'lorikeet no-17-' })
    assert.equal(found.messages.length, 10)
    assert.deepEqual(told, [])
  })

  test('that cannot be merged is told of, and left for later', async context => {
    if (isPostgres(db)) return context.skip('SQLite only')
    await sql`drop table message_search`.execute(db)
    await optimizeSearchIndex(needed)
    assert.deepEqual(told, ['The index of messages could not be merged'])
  })

  async function countSegments(): Promise<number> {
    const { rows } = await sql<{
      count: number
    }>`select count(distinct segid) as count from message_search_idx`.execute(db)
    return rows[0]?.count ?? 0
  }
})
