import type { Kysely } from 'kysely'

/** Until when somebody who looks at a message counts as writing about it; null while they do not. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('presence').addColumn('writing_until', 'text').execute()
}
