import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'

/** Renames tables and columns to the terms that the code uses, and empties emails that were sent, as the outbox now does. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  // SQLite would rewrite the triggers' table names but not FTS5's column of the same name, so they are created again.
  if (!isPostgres(db)) await dropTriggers(db)
  await schema.alterTable('users').renameColumn('lock_letter_due_at', 'lock_email_due_at').execute()
  await schema.alterTable('outbox').renameColumn('letter', 'email').execute()
  await sql`update outbox set email = '' where state = 'sent'`.execute(db)
  await schema.alterTable('decoys').renameTo('dummy_login_attempts').execute()
  await schema.alterTable('browser_tries').renameTo('browser_login_attempts').execute()
  await schema.dropIndex('gathered_notices_by_letter').execute()
  await schema.alterTable('gathered_notices').renameTo('digest_items').execute()
  await schema.alterTable('digest_items').renameColumn('letter_id', 'email_id').execute()
  await schema
    .createIndex('digest_items_by_email')
    .on('digest_items')
    .columns(['email_id', 'created_at'])
    .execute()
  if (isPostgres(db)) return
  await schema.alterTable('message_numbers').renameTo('message_search_rows').execute()
  await schema.alterTable('message_texts').renameTo('message_search').execute()
  await createTriggers(db)
}

async function dropTriggers(db: Kysely<never>) {
  for (const name of ['message_text_begins', 'message_number_follows', 'message_text_ends'])
    await sql`drop trigger ${sql.ref(name)}`.execute(db)
}

/** Those of migration 0009, under the new names. */
async function createTriggers(db: Kysely<never>) {
  await sql`create trigger message_search_insert after insert on messages begin
    insert into message_search_rows (message_id, form_type, is_read, verification)
    values (new.id, new.form_type, new.is_read, new.verification);
    insert into message_search (rowid, name, email, phone, reference, message)
    select number, new.name, new.email, new.phone, new.reference, new.message
    from message_search_rows where message_id = new.id;
  end`.execute(db)
  await sql`create trigger message_search_update after update of form_type, is_read, verification on messages begin
    update message_search_rows
    set form_type = new.form_type, is_read = new.is_read, verification = new.verification
    where message_id = new.id;
  end`.execute(db)
  await sql`create trigger message_search_delete before delete on messages begin
    insert into message_search (message_search, rowid, name, email, phone, reference, message)
    select 'delete', number, old.name, old.email, old.phone, old.reference, old.message
    from message_search_rows where message_id = old.id;
    delete from message_search_rows where message_id = old.id;
  end`.execute(db)
}
