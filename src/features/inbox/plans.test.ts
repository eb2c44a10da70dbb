import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import { storeMessages } from '../../../tests/support/messages.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isPostgres } from '../../database/engine.ts'
import { newId } from '../../database/id.ts'
import type { MessageFilter } from './contract.ts'
import { type Cursor, listFiltered } from './filter.server.ts'

const lists: readonly [MessageFilter, string][] = [
  [{}, 'messages_pkey|sqlite_autoindex_messages_1'],
  [{ formType: 'tracking' }, 'messages_by_type'],
  [{ isRead: 'false' }, 'messages_by_read'],
  [{ verification: 'suspect' }, 'messages_by_verification'],
  [{ isRead: 'true', verification: 'off' }, 'messages_by_all_filters'],
  [{ formType: 'contact', isRead: 'true' }, 'messages_by_all_filters'],
  [{ formType: 'contact', isRead: 'true', verification: 'off' }, 'messages_by_all_filters'],
]

suite('The database', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  await storeMessages(testApp, Array(50).fill({}))

  for (const [filter, index] of lists)
    test(`reads messages in order from an index: ${JSON.stringify(filter)}`, async context => {
      if (isPostgres(db) && Object.keys(filter).length > 1)
        return context.skip('PostgreSQL chooses by how many rows it expects, and here are few')
      for (const columns of ['id', '*'] as const)
        for (const from of [undefined, newId(new Date())])
          for (const towards of ['older', 'newer'] as const) {
            const plan = await explain(columns, filter, { from, towards })
            assert.match(plan, new RegExp(index))
            assert.doesNotMatch(plan, /Seq Scan|Sort Key: messages|SCAN messages$/m)
          }
    })

  /** How the engine goes about it, once it takes the table for too large to be read whole. */
  async function explain(columns: 'id' | '*', filter: MessageFilter, place: Cursor): Promise<string> {
    return await db.transaction().execute(async transaction => {
      const list = listFiltered(columns, filter, place, 101)
      const query = transaction.selectFrom(list.as('listed')).select('listed.id').compile()
      if (isPostgres(db))
        for (const way of ['seqscan', 'bitmapscan', 'sort'])
          await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction)
      const verb = isPostgres(db) ? 'explain' : 'explain query plan'
      const { rows } = await transaction.executeQuery(
        CompiledQuery.raw(`${verb} ${query.sql}`, [...query.parameters]),
      )
      return rows.map(row => Object.values(Object(row)).join(' ')).join('\n')
    })
  }
})
