import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { openDatabase } from '../../database/open.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { createDatabaseLogger } from './database-sink.server.ts'

const ENQUIRY = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  message: 'Can my sister join me in Perth?',
}

suite('The log in the database', async () => {
  const testApp = await openTestApp()
  const { db, config, clock } = testApp.services

  const count = async (message: string) =>
    (await db.selectFrom('logs').select('id').where('message', '=', message).execute()).length

  /** A log of its own, over a database that can be taken away. */
  async function openOwn() {
    const own = await openDatabase(config)
    const printed: string[] = []
    return { own, printed, ...createDatabaseLogger(own, clock, line => printed.push(line)) }
  }

  test('the log stores a thousand waiting entries, and drops and counts any beyond that', async () => {
    const { own, printed, log, flush } = await openOwn()
    for (let line = 0; line < 1005; line++) log('info', 'API', 'One of many')
    assert.equal(printed.length, 1006)
    assert.match(printed[1001] ?? '', /"level":"error".*not stored/)
    await flush()
    assert.equal(await count('One of many'), 1000)
    assert.match(printed.at(-1) ?? '', /only printed.*"count":5/)
    for (let line = 0; line < 10; line++) log('info', 'API', 'One after them')
    await flush()
    assert.equal(await count('One after them'), 10)
    await own.destroy()
  })

  test('the log prints entries that the database rejects, reports that once, and continues afterwards', async () => {
    const { own, printed, log, flush } = await openOwn()
    await sql`alter table logs rename to logs_away`.execute(db)
    try {
      for (let line = 0; line < 3; line++) {
        log('info', 'API', 'Into the void')
        await flush()
      }
    } finally {
      await sql`alter table logs_away rename to logs`.execute(db)
    }
    assert.equal(printed.filter(line => line.includes('Into the void')).length, 3)
    assert.equal(printed.filter(line => line.includes('not stored')).length, 1)
    log('info', 'API', 'Back again')
    await flush()
    assert.equal(await count('Back again'), 1)
    assert.equal(await count('Into the void'), 0)
    assert.ok(printed.some(line => /only printed.*"count":3/.test(line)))
    await own.destroy()
  })

  test('the log stores entries that were written while the database was briefly unavailable', async () => {
    const { own, log, flush } = await openOwn()
    const isGone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
    const insertInto = own.insertInto.bind(own)
    own.insertInto = () => {
      throw isGone
    }
    log('info', 'API', 'Said in the dark')
    await flush()
    assert.equal(await count('Said in the dark'), 0)
    own.insertInto = insertInto
    await until(async () => (await count('Said in the dark')) === 1)
    await own.destroy()
  })

  test('the log stores the last entries of a process that stops', async () => {
    const other = await openTestApp({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
    other.services.log('info', 'API', 'Last words')
    await other.services.close()
    assert.equal(await count('Last words'), 1)
    // What closes after the tests must find something to close.
    other.services.close = async () => {}
  })

  test('the entry about an enquiry is stored in the same transaction as the enquiry', async () => {
    await testApp.browser().call(enquiries.contact, ENQUIRY)
    assert.equal(await count('Enquiry received'), 1)
    await sql`alter table logs rename to logs_away`.execute(db)
    try {
      await assert.rejects(testApp.browser().call(enquiries.contact, ENQUIRY), { status: 500 })
    } finally {
      await sql`alter table logs_away rename to logs`.execute(db)
    }
    assert.equal((await db.selectFrom('messages').select('id').execute()).length, 1)
    const printed = testApp.console.filter(line => line.includes('Enquiry received'))
    assert.equal(printed.length, 1)
  })
})
