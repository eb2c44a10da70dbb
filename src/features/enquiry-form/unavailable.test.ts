import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isPostgres } from '../../database/engine.ts'
import { enquiries } from './contract.ts'

suite('A visitor when the disk of the database is full', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  test('loses no place to enquiries whose commit failed', async () => {
    const browser = testApp.browser()
    const send = async () =>
      await browser.call(enquiries.contact, {
        name: 'Mai Nguyen',
        email: 'mai@visitor.test',
        phone: '+61 400 000 000',
        message: 'Please help me.',
      })
    await breakCommits()
    for (let count = 0; count < 11; count++) await assert.rejects(send, { status: 500 })
    assert.deepEqual(await db.selectFrom('messages').select('id').execute(), [])
    await mendCommits()
    await send()
    await db.deleteFrom('messages').execute()
  })

  test('reads that it is not possible right now, and succeeds once it is (Q16)', async () => {
    const browser = testApp.browser()
    const send = async () =>
      await browser.call(enquiries.contact, {
        name: 'Mai Nguyen',
        email: 'mai@visitor.test',
        phone: '+61 400 000 000',
        // Longer than what may be free in the pages that SQLite has already.
        message: 'Please help. '.repeat(700),
      })
    await fillDisk()
    // More often than may be stored: what is not stored takes nothing from that.
    for (let count = 0; count < 11; count++) await assert.rejects(send, { status: 503, retryAfter: 5 })
    assert.deepEqual(await db.selectFrom('messages').select('id').execute(), [])
    await emptyDisk()
    assert.equal((await send()).message, 'Thank you for your interest. We will contact you shortly.')
    assert.ok(testApp.console.some(line => /"level":"critical".*The database did not answer/.test(line)))
  })

  /** A reference that nothing fulfils, and that is looked at only when the transaction ends. */
  async function breakCommits() {
    await sql`create table fulfilled (id text primary key)`.execute(db)
    await sql`create table broken (id text references fulfilled deferrable initially deferred)`.execute(db)
    if (!isPostgres(db))
      return await sql`create trigger break after insert on messages
        begin insert into broken values ('1'); end`.execute(db)
    await sql`create function break() returns trigger language plpgsql as $$
      begin insert into broken values ('1'); return null; end $$`.execute(db)
    return await sql`create trigger break after insert on messages execute function break()`.execute(db)
  }

  async function mendCommits() {
    if (isPostgres(db)) await sql`drop trigger break on messages`.execute(db)
    else await sql`drop trigger break`.execute(db)
  }

  async function fillDisk() {
    if (!isPostgres(db)) return await sql`pragma max_page_count = 1`.execute(db)
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'no space left on device' using errcode = '53100'; end $$`.execute(db)
    return await sql`create trigger full_disk before insert on messages execute function refuse()`.execute(db)
  }

  async function emptyDisk() {
    if (!isPostgres(db)) return await sql`pragma max_page_count = 1000000`.execute(db)
    return await sql`drop trigger full_disk on messages`.execute(db)
  }
})
