import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../id.ts'
import {
  createIndex,
  createTable,
  type EarlierDatabase,
  KEY,
  NUMBER,
  OF_MESSAGE,
  run,
  TEXT,
  withoutTimeout,
} from './define.ts'

/** Mails with attachments that are moved at a time. */
const AT_ONCE = 100

/** Files of conversations, and whole mails, which had a table of their own: decision 077. */
export async function addAttachments(db: EarlierDatabase): Promise<void> {
  await withoutTimeout(db)
  await createTable(db, 'blobs', [
    [KEY, 'sha256'],
    [NUMBER, 'size'],
    [TEXT, 'created_at'],
    ['text', 'scanned_at', 'found'],
  ]).execute()
  await createIndex(db, 'blobs', 'by_time', ['created_at'])
  await createIndex(db, 'blobs', 'by_scan', ['scanned_at', 'created_at'])
  await createTable(db, 'blob_chunks', [
    [KEY, 'id'],
    ['text not null references "blobs" ("sha256") on delete cascade', 'sha256'],
    [TEXT, 'body'],
  ]).execute()
  await createIndex(db, 'blob_chunks', 'by_blob', ['sha256'])
  await createTable(db, 'attachments', [
    [KEY, 'id'],
    [OF_MESSAGE, 'message_id'],
    [TEXT, 'entry_id', 'kind', 'name', 'type'],
    [NUMBER, 'position', 'size'],
    ['text', 'warning'],
    ['text references "blobs" ("sha256")', 'sha256'],
    ['integer', 'received'],
    [TEXT, 'created_at'],
  ]).execute()
  await createIndex(db, 'attachments', 'by_entry', ['entry_id', 'position'])
  await createIndex(db, 'attachments', 'by_message', ['message_id'])
  await createIndex(db, 'attachments', 'by_blob', ['sha256'])
  await createIndex(db, 'attachments', 'by_upload', ['received'])
  await moveLists(db)
  await moveOriginals(db)
  await run(db, sql`drop table inbound_raw`, sql`alter table inbound_mails drop column attachments`)
}

interface Listed {
  readonly entry_id: string
  readonly message_id: string
  readonly attachments: string
  readonly mailbox_time: string
}

/** What was in a mail, so far a list in JSON. The files are in the whole mail only. */
async function moveLists(db: EarlierDatabase) {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const { rows } = await sql<Listed>`
      select entry_id, message_id, attachments, mailbox_time from inbound_mails
      where entry_id > ${last} and attachments <> '[]' order by entry_id limit ${sql.lit(AT_ONCE)}`.execute(
      db,
    )
    for (const row of rows) {
      const files: { name: string; size: number; type: string }[] = JSON.parse(row.attachments)
      for (const [position, { name, size, type }] of files.entries())
        await insertAttachment(db, row, { kind: 'file', position, name, size, type, sha256: null })
    }
    last = rows.at(-1)?.entry_id
  }
}

interface Attached {
  readonly kind: 'file' | 'original'
  readonly position: number
  readonly name: string
  readonly size: number
  readonly type: string
  readonly sha256: string | null
}

async function insertAttachment(
  db: EarlierDatabase,
  { entry_id, message_id, mailbox_time }: Omit<Listed, 'attachments'>,
  { kind, position, name, size, type, sha256 }: Attached,
) {
  await sql`insert into attachments
    (id, message_id, entry_id, kind, position, name, type, size, sha256, created_at) values
    (${newId(new Date(mailbox_time))}, ${message_id}, ${entry_id}, ${kind}, ${position}, ${name}, ${type}, ${size},
      ${sha256}, ${mailbox_time})`.execute(db)
}

/** One at a time: what was part 3 of a mail is chunk 3 of its blob. */
async function moveOriginals(db: EarlierDatabase) {
  const { rows } = await sql<Omit<Listed, 'attachments'>>`
    select substr(first.id, 1, 36) as entry_id, first.message_id,
      coalesce(mail.mailbox_time, note.created_at) as mailbox_time
    from inbound_raw as first
    left join inbound_mails as mail on mail.entry_id = substr(first.id, 1, 36)
    left join notes as note on note.id = substr(first.id, 1, 36)
    where first.id like '%-0000' order by first.id`.execute(db)
  for (const row of rows) {
    const { sha256, size, count } = await hashParts(db, row.entry_id)
    const time = row.mailbox_time ?? new Date(0).toISOString()
    const { rows: known } = await sql`select sha256 from blobs where sha256 = ${sha256}`.execute(db)
    if (known.length === 0) {
      await sql`insert into blobs (sha256, size, created_at) values (${sha256}, ${size}, ${time})`.execute(db)
      // No range of ids: there are collations that pass over what stands before the number of a part.
      for (let position = 0; position < count; position++)
        await sql`insert into blob_chunks (id, sha256, body) select ${sha256} || substr(id, 37), ${sha256}, body
          from inbound_raw where id = ${partId(row.entry_id, position)}`.execute(db)
    }
    const original = { kind: 'original', position: -1, name: 'mail.eml', type: 'message/rfc822' } as const
    await insertAttachment(db, { ...row, mailbox_time: time }, { ...original, size, sha256 })
  }
}

const partId = (entryId: string, position: number) => `${entryId}-${String(position).padStart(4, '0')}`

async function hashParts(db: EarlierDatabase, entryId: string) {
  const hash = createHash('sha256')
  let size = 0
  for (let position = 0; ; position++) {
    const part = sql<{ body: string }>`select body from inbound_raw where id = ${partId(entryId, position)}`
    const { rows } = await part.execute(db)
    const bytes = rows[0] && Buffer.from(rows[0].body, 'base64')
    if (!bytes) return { sha256: hash.digest('hex'), size, count: position }
    hash.update(bytes)
    size += bytes.length
  }
}
