import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isPostgres } from '../../database/engine.ts'
import { messages } from './contract.ts'
import { optimizeSearchIndex } from './optimize-search-index.server.ts'

suite('Search index', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const logged: string[] = []
  const dependencies = { db, log: (_: unknown, __: unknown, message: string) => logged.push(message) }

  test('the search index is merged unless the process is stopping, and finds the same messages afterwards', async context => {
    if (isPostgres(db)) return context.skip('SQLite only')
    for (let count = 0; count < 40; count++)
      await storeMessages(testApp, Array(10).fill({ name: `Lorikeet no-${count}-` }))
    const before = await countSegments()
    await optimizeSearchIndex(dependencies, () => true)
    assert.equal(await countSegments(), before)
    await optimizeSearchIndex(dependencies)
    const after = await countSegments()
    assert.ok(before > 3 && after < 3, `${before}, then ${after} segments`)
    await sql`insert into message_search (message_search) values ('integrity-check')`.execute(db)
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const found = await admin.call(messages.list, { q: 'lorikeet no-17-' })
    assert.equal(found.messages.length, 10)
    assert.deepEqual(logged, [])
  })

  test('a failure to merge the search index is logged, not thrown', async context => {
    if (isPostgres(db)) return context.skip('SQLite only')
    await sql`drop table message_search`.execute(db)
    await optimizeSearchIndex(dependencies)
    assert.deepEqual(logged, ['Search index could not be optimised'])
  })

  async function countSegments(): Promise<number> {
    const { rows } = await sql<{
      count: number
    }>`select count(distinct segid) as count from message_search_idx`.execute(db)
    return rows[0]?.count ?? 0
  }
})
