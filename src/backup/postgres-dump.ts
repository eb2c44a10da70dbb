import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import pg from 'pg'
import { type BackupFile, BrokenBackup, hasCode } from './backup-file.ts'
import { LAST_MIGRATION } from './row-snapshot.ts'

/** Owners and comments on extensions belong to one server, and only its superuser may restore them. */
const OWN_ROWS_ONLY = ['--no-owner', '--no-privileges', '--no-comments']

/** A consistent copy of the database as `pg_dump` writes it, uncompressed. @throws what `pg_dump` says when it fails */
export function dump(databaseUrl: string, signal?: AbortSignal): Readable {
  const args = ['--format=custom', '--compress=0', ...OWN_ROWS_ONLY]
  return Readable.from(outputOf(start('pg_dump', args, databaseUrl, signal)))
}

async function* outputOf({ child, succeeded }: ReturnType<typeof start>) {
  yield* child.stdout
  await succeeded
}

/** Restores a dump into an empty database, in one transaction. @throws what `pg_restore` says when it fails */
export async function restoreDump(backup: BackupFile, databaseUrl: string, signal?: AbortSignal) {
  const args = ['--single-transaction', '--exit-on-error', ...OWN_ROWS_ONLY]
  const { child, succeeded } = start('pg_restore', args, databaseUrl, signal)
  const results = await Promise.allSettled([succeeded, backup.extractTo(child.stdin, signal)])
  const reasons = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  // When both fail, what `pg_restore` says is the reason, unless it was given only a part of a damaged backup.
  if (reasons.length > 0) throw reasons.find(reason => reason instanceof BrokenBackup) ?? reasons[0]
}

/** The last migration of a database. */
export async function readMigration(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(LAST_MIGRATION)
    return rows[0]?.name ?? ''
  } finally {
    await client.end()
  }
}

/** The password is in the environment, because other users of the machine can read a command line. */
function start(program: string, args: readonly string[], databaseUrl: string, signal?: AbortSignal) {
  const url = new URL(databaseUrl)
  const env = { ...process.env, ...(url.password && { PGPASSWORD: decodeURIComponent(url.password) }) }
  url.password = ''
  const child = spawn(program, [...args, `--dbname=${url.href}`], { env, ...(signal && { signal }) })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const succeeded = new Promise<void>((resolve, reject) => {
    child.once('error', error => reject(hasCode(error, 'ENOENT') ? missing(program) : error))
    child.once('close', code =>
      code === 0 ? resolve() : reject(new Error(`${program} failed: ${stderr.trim()}`)),
    )
  })
  // It may fail before anybody awaits it.
  succeeded.catch(() => {})
  return { child, succeeded }
}

function missing(program: string): Error {
  return new Error(
    `${program} was not found. Install the client programs of PostgreSQL, of the same version as the server: apt-get install postgresql-client`,
  )
}
