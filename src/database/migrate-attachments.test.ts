import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { openBackups } from '../../tests/support/backups.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { openAttachment } from '../attachments/store.server.ts'
import { newId } from './id.ts'
import { migrate } from './migrate.ts'
import { postgresDialect } from './postgres/dialect.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables.ts'

const TIME = '2026-11-01T00:00:00.000Z'
/** Bytes of a part of a whole mail, as it was stored. */
const PART = 256 * 1024

suite('Whole mails that were kept for their files', async () => {
  const { newPlace } = await openBackups(await openTestApp())

  test('they can be downloaded as before, what was in them is listed, and the same mail is stored once', async () => {
    const place = await newPlace()
    const dialect = place.databaseUrl
      ? postgresDialect(place.databaseUrl, 'patient')
      : sqliteDialect(join(place.dataDir, 'landfall.sqlite'))
    const db = new Kysely<Tables>({ dialect })
    await migrate(db, '0053-delta-links')
    const ids = [0, 1, 2, 3].map(at => newId(new Date(Date.parse(TIME) + at)))
    const [message = '', mail = '', same = '', note = ''] = ids
    const raw = Buffer.alloc(PART + 1000, 'A mail, line by line.\r\n')
    await sql`insert into messages (id, reference, form_type, name, email, message, is_read, verification, created_at)
      values (${message}, 'LF-1', 'email', 'Mai', 'mai@visitor.test', 'Hello', 0, '', ${TIME})`.execute(db)
    const files = [{ name: 'a.pdf', size: 12, type: 'application/pdf' }]
    for (const [entryId, list] of [
      [mail, JSON.stringify(files)],
      [same, '[]'],
    ] as const)
      await sql`insert into inbound_mails (entry_id, message_id, mail_id, sender, mailbox_time, from_name, from_address,
          subject, to_addresses, cc_addresses, attachments, body_quoted)
        values (${entryId}, ${message}, ${entryId}, 'visitor', ${TIME}, '', '', '', '[]', '[]', ${list}, '')`.execute(
        db,
      )
    await sql`insert into notes (id, message_id, body, created_at) values (${note}, ${message}, 'Kept', ${TIME})`.execute(
      db,
    )
    for (const entryId of [mail, same, note])
      for (const [at, part] of [raw.subarray(0, PART), raw.subarray(PART)].entries())
        await sql`insert into inbound_raw (id, message_id, body)
          values (${`${entryId}-000${at}`}, ${message}, ${part.toString('base64')})`.execute(db)

    await migrate(db)
    const blobs = await db.selectFrom('blobs').selectAll().execute()
    const sha256 = createHash('sha256').update(raw).digest('hex')
    assert.deepEqual(
      blobs.map(row => ({ ...row })),
      [{ sha256, hash: sha256, size: raw.length, created_at: TIME, scanned_at: null, found: null }],
    )
    for (const originalOf of [mail, same, note]) {
      const original = await openAttachment(db, message, { originalOf })
      const bytes = await new Response(original?.body).arrayBuffer()
      assert.deepEqual(Buffer.from(bytes), raw)
    }
    const listed = await db.selectFrom('attachments').selectAll().where('kind', '=', 'file').execute()
    assert.deepEqual(
      listed.map(({ entry_id, name, size, type, sha256: hash }) => [entry_id, name, size, type, hash]),
      [[mail, 'a.pdf', 12, 'application/pdf', null]],
    )
    await db.destroy()
  })
})
