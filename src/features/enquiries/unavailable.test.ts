import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { isPostgres } from '../../database/open.ts'
import { openOffice } from '../../testing/office.ts'
import { enquiries } from './contract.ts'

suite('A visitor when the disk of the database is full', async () => {
  const office = await openOffice()
  const { db } = office.services

  test('reads that it is not possible right now, and succeeds once it is (Q16)', async () => {
    const browser = office.browser()
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
    assert.ok(office.console.some(line => /"level":"critical".*The database did not answer/.test(line)))
  })

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
