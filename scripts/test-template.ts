import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFirstContent } from '../src/content/first-content.server.ts'
import { openDatabase, sqliteFile } from '../src/database/open.ts'
import { createFirstAdmin } from '../src/features/set-up/first-admin.server.ts'
import { systemClock } from '../src/platform/clock.ts'
import { sampleContent } from '../src/sample/site.server.ts'
import { createTestDatabase, dropTestDatabase } from '../tests/support/database.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../tests/support/test-app.ts'

interface Template {
  /** The name of a database of PostgreSQL, or the path of a file of SQLite. */
  readonly place: string
  remove(): Promise<void>
}

/** A database from which tests copy theirs. It has no connection, or PostgreSQL would not copy it. */
export async function createTemplate(server: string | undefined): Promise<Template> {
  const databaseUrl = server ? await createTestDatabase(server) : null
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-template-'))
  const db = await openDatabase({ databaseUrl, dataDir })
  await createFirstContent(db, systemClock, sampleContent)
  await createFirstAdmin(db, systemClock, { adminEmail: ADMIN_EMAIL, adminPassword: ADMIN_PASSWORD })
  await db.destroy()
  return {
    place: databaseUrl ? new URL(databaseUrl).pathname.slice(1) : sqliteFile({ dataDir }),
    async remove() {
      if (databaseUrl) await dropTestDatabase(databaseUrl)
      await rm(dataDir, { recursive: true })
    },
  }
}
