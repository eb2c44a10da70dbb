import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import { storeMessages } from '../../../tests/support/messages.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isPostgres } from '../../database/engine.ts'
import { newId } from '../../database/id.ts'
import { inTransaction } from '../../database/transaction.ts'
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

suite('Query plans of message lists', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  await storeMessages(testApp, Array(50).fill({}))

  for (const [filter, index] of lists)
    test(`a message list reads from an index in order: ${JSON.stringify(filter)}`, async context => {
      if (isPostgres(db) && Object.keys(filter).length > 1)
        return context.skip(
          'PostgreSQL chooses a plan by the expected number of rows, and this table has few',
        )
      for (const columns of ['id', '*'] as const)
        for (const from of [undefined, newId(new Date())])
          for (const towards of ['older', 'newer'] as const) {
            const plan = await explain(columns, filter, { from, towards })
            assert.match(plan, new RegExp(index))
            assert.doesNotMatch(plan, /Seq Scan|Sort Key: messages|SCAN messages$/m)
          }
    })

  /** The query plan, with full scans and sorts disabled in PostgreSQL as if the table were large. */
  async function explain(columns: 'id' | '*', filter: MessageFilter, cursor: Cursor): Promise<string> {
    return await inTransaction(db, async transaction => {
      const list = listFiltered(columns, filter, cursor, 101)
      const query = transaction.selectFrom(list.as('listed')).select('listed.id').compile()
      if (isPostgres(db))
        for (const method of ['seqscan', 'bitmapscan', 'sort'])
          await sql`set local ${sql.raw(`enable_${method}`)} = off`.execute(transaction)
      const verb = isPostgres(db) ? 'explain' : 'explain query plan'
      const { rows } = await transaction.executeQuery(
        CompiledQuery.raw(`${verb} ${query.sql}`, [...query.parameters]),
      )
      return rows.map(row => Object.values(Object(row)).join(' ')).join('\n')
    })
  }
})
