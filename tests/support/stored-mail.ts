import type { Insertable } from 'kysely'
import { newId } from '../../src/database/id.ts'
import type { Database, Tables } from '../../src/database/tables.ts'

type InboundMailRow = Insertable<Tables['inbound_mails']>

interface NewMail extends Partial<InboundMailRow> {
  readonly body?: string
  readonly created_at?: string
  /** Null for one that is the message itself. */
  readonly seq?: number | null
}

/** Stores a mail from outside in a conversation, as if it had come in. @returns the id of its entry */
export async function storeMail(db: Database, message_id: string, mail: NewMail = {}): Promise<string> {
  const { body = 'Thank you.', seq = 1, created_at = new Date().toISOString(), ...change } = mail
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
    ...{ problem: null, attachments: '[]', mailbox_time: created_at },
    ...change,
  }
  await db.insertInto('inbound_mails').values(row).execute()
  return id
}
