import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isPostgres } from '../../database/engine.ts'
import { enquiries } from './contract.ts'

suite('Enquiries while the database is unavailable', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  test('enquiries whose commit failed use up no quota', async () => {
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

  test('a visitor gets 503 while the disk is full, and succeeds once there is space (Q16)', async () => {
    const browser = testApp.browser()
    const send = async () =>
      await browser.call(enquiries.contact, {
        name: 'Mai Nguyen',
        email: 'mai@visitor.test',
        phone: '+61 400 000 000',
        // Longer than the free space in the pages that SQLite already has.
        message: 'Please help. '.repeat(700),
      })
    await fillDisk()
    // More often than the quota allows: what is not stored does not count.
    for (let count = 0; count < 11; count++) await assert.rejects(send, { status: 503, retryAfter: 5 })
    assert.deepEqual(await db.selectFrom('messages').select('id').execute(), [])
    await emptyDisk()
    assert.equal((await send()).message, 'Thank you for your interest. We will contact you shortly.')
    assert.ok(testApp.console.some(line => /"level":"critical".*Database unavailable/.test(line)))
  })

  /** Adds a foreign key that is always violated, and is checked only when the transaction ends. */
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
