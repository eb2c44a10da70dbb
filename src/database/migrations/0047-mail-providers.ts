import { type Kysely, sql } from 'kysely'

/**
 * Whether emails come through the way that they are sent now, and the test of a provider that waits to be used. A provider
 * that was saved before and has sent an email since counts as confirmed: nothing changes for that installation.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('mail_providers')
    .addColumn('kind', 'text', column => column.primaryKey())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('confirmed_at', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('failing_since', 'text')
    .addColumn('reason', 'text')
    .execute()
  await db.schema
    .createTable('mail_tests')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('sent_to', 'text', column => column.notNull())
    .addColumn('tested_at', 'text', column => column.notNull())
    .addColumn('code_hash', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('wrong_codes', 'integer', column => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('problem', 'text')
    .execute()
  // While a Mailchimp key is set, the mail server is not used: only what was sent after both were changed proves it.
  await confirm(db, 'mailchimp', sql`('mailchimp_transactional_api_key')`)
  await confirm(db, 'settings', sql`('smtp', 'mailchimp_transactional_api_key')`)
}

/** An empty fingerprint stands for what was saved by then: to know more, the migration would need the secret key. */
async function confirm(db: Kysely<never>, kind: string, keys: ReturnType<typeof sql>) {
  const own = kind === 'settings' ? 'smtp' : 'mailchimp_transactional_api_key'
  await sql`insert into mail_providers (kind, fingerprint, sent_at)
    select cast(${kind} as text), '', max(sent.time) from (
      select sent_at as time from outbox where state = 'sent'
      union all select updated_at from settings where key = 'mail_tested') as sent
    where sent.time > (select max(updated_at) from settings where key in ${keys})
      and exists (select 1 from settings where key = ${own})
    having max(sent.time) is not null`.execute(db)
}
