import type { Kysely } from 'kysely'

/** What a user may do with messages beside the role: `none`, `read` or `answer`. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('inbox', 'text', column => column.notNull().defaultTo('none'))
    .execute()
}
