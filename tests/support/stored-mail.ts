import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { addAttachments } from '../../src/attachments/store.server.ts'
import { newId } from '../../src/database/id.ts'
import type { FileWarning } from '../../src/database/mail-in-tables.ts'
import type { Database, Tables } from '../../src/database/tables.ts'
import { inTransaction } from '../../src/database/transaction.ts'

type InboundMailRow = Insertable<Tables['inbound_mails']>

interface NewMail extends Partial<InboundMailRow> {
  readonly body?: string
  readonly created_at?: string
  /** Null for one that is the message itself. */
  readonly seq?: number | null
  readonly files?: readonly StoredFile[]
}

interface StoredFile {
  readonly name: string
  /** As it is shown; its bytes are few. */
  readonly size?: number
  readonly type?: string
  readonly warning?: FileWarning
  /** Null for one that is not kept. */
  readonly text?: string | null
}

/** Stores a mail from outside in a conversation, as if it had come in. @returns the id of its entry */
export async function storeMail(db: Database, message_id: string, mail: NewMail = {}): Promise<string> {
  const { body = 'Thank you.', seq = 1, created_at = new Date().toISOString(), files = [], ...change } = mail
  const id = seq === null ? message_id : newId(new Date(created_at))
  const said = { id, message_id, kind: 'inbound', author_id: null, body, created_at } as const
  if (seq !== null)
    await db
      .insertInto('entries')
      .values({ ...said, seq })
      .execute()
  const row: InboundMailRow = {
    ...{ entry_id: id, message_id, mail_id: `<${id}@visitor.test>`, from_name: 'Mai Nguyen' },
    ...{ from_address: 'mai@visitor.test', to_addresses: '[]', cc_addresses: '[]', subject: '' },
    ...{ body_quoted: '', html: null, automatic: null, sender: 'participant', may_belong_to: null },
    ...{ problem: null, mailbox_time: created_at },
    ...change,
  }
  await db.insertInto('inbound_mails').values(row).execute()
  const place = { entry_id: id, message_id, created_at }
  const clock = () => new Date(created_at)
  await inTransaction(db, transaction =>
    addAttachments({ transaction, clock }, place, files.map(toFile), true),
  )
  return id
}

function toFile({ text = 'file', type = 'application/pdf', warning, ...file }: StoredFile) {
  const bytes = new TextEncoder().encode(text ?? '')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const content = text === null ? null : { bytes, sha256 }
  return { size: bytes.length, ...file, kind: 'file', type, warning: warning ?? null, content } as const
}
