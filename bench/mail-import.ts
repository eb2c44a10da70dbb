import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../scripts/postgres.ts'
import { openUnmigratedDatabase } from '../tests/faults/inspect-database.ts'
import { DESK, type Dovecot, openDovecot } from '../tests/support/dovecot.ts'
import { fill } from './lists-rows.ts'
import { clearAtExit, startLandfall } from './process.ts'
import { printTable } from './table.ts'

const FULL_SIZE = 100_000
const MIN_RATE = 50
/** Milliseconds for which nothing blocks the event loop. */
const MAX_HELD = 50
/** Milliseconds of a page of the inbox, at the 95th percentile. */
const MAX_LIST = 50
const LIST_EVERY = 200
const DAY = 86_400_000

/**
 * The import of 100,000 earlier mails from a real IMAP server, while staff read the inbox, on both engines.
 * `npm run bench -- import 0.05` takes a twentieth of the mails.
 */
export async function measure(): Promise<boolean> {
  const count = FULL_SIZE * Number(process.argv[3] ?? 1)
  const dovecot = await openDovecot()
  const postgres = await startPostgres()
  try {
    deliverAll(dovecot, count)
    const onSqlite = await measureOn('SQLite', null, dovecot, count)
    if (postgres) return (await measureOn('PostgreSQL', postgres.url, dovecot, count)) && onSqlite
    process.stdout.write('PostgreSQL is not installed here, so half of the promise was not measured.\n')
    return false
  } finally {
    postgres?.stop()
    await dovecot.close()
  }
}

/** Conversations of four mails each, a few minutes apart. */
function deliverAll(dovecot: Dovecot, count: number) {
  process.stderr.write(`Delivering ${count} mails …\n`)
  const begun = Date.now() - 400 * DAY
  const body = 'We would like to know whether my sister may join us in Perth next year.\r\n'.repeat(20)
  for (let at = 0; at < count; at++) {
    const first = at - (at % 4)
    const headers = [
      `Message-ID: <${at}@visitor.test>`,
      ...(at > first ? [`References: <${first}@visitor.test>`] : []),
      `From: Visitor ${first} <visitor${first}@visitor.test>`,
      `To: ${DESK.user}`,
      `Subject: Question ${first}`,
      'Content-Type: text/plain; charset=utf-8',
    ]
    dovecot.deliver(`${headers.join('\r\n')}\r\n\r\n${body}`, new Date(begun + (at * 390 * DAY) / count))
  }
}

async function measureOn(engine: string, database: string | null, dovecot: Dovecot, count: number) {
  const filled = await fill(database, { messages: 2000, logs: 1000 })
  const dataDir = String(filled.env.DATA_DIR)
  const heldFile = join(dataDir, 'held')
  const certificate = join(dataDir, 'mail-server.pem')
  clearAtExit(dataDir)
  writeFileSync(certificate, dovecot.certificate.cert)
  const user = `${encodeURIComponent(DESK.user)}:${encodeURIComponent(DESK.password)}`
  const server = await startLandfall({
    ...filled.env,
    HELD_FILE: heldFile,
    NODE_OPTIONS: `--import ${pathToFileURL('bench/held-probe.ts').href}`,
    IMAP_URL: `imaps://${user}@${dovecot.host}:${dovecot.ports.tls}/INBOX`,
    NODE_EXTRA_CA_CERTS: certificate,
  })
  const db = await openUnmigratedDatabase({ dataDir, databaseUrl: filled.env.DATABASE_URL ?? null })
  const read = async () => await db.selectFrom('mailboxes').selectAll().executeTakeFirst()
  while (!(await read())?.last_fetched_at) await pause(100)
  const before = heldTimes(heldFile).length
  const lists: number[] = []
  await db
    .updateTable('mailboxes')
    .set({ import_state: 'running', import_from: '', import_uid: '0' })
    .execute()
  while (((await read())?.import_done ?? 0) === 0) await pause(20)
  const begun = performance.now()
  let memory = 0
  while ((await read())?.import_state === 'running') {
    const asked = performance.now()
    await (await fetch(`${server.url}/api/messages`, { headers: { cookie: filled.cookie } })).arrayBuffer()
    lists.push(performance.now() - asked)
    memory = Math.max(memory, server.memory())
    process.stderr.write(`\r${engine}: ${(await read())?.import_done} of ${count}  `)
    await pause(LIST_EVERY)
  }
  const seconds = (performance.now() - begun) / 1000
  await pause(500)
  const held = Math.max(...heldTimes(heldFile).slice(before))
  const { imported } = await db
    .selectFrom('inbound_mails')
    .select(eb => eb.fn.countAll<number>().as('imported'))
    .executeTakeFirstOrThrow()
  await db.destroy()
  await server.close()
  await filled.remove()
  const rate = count / seconds
  const list = lists.sort((one, other) => one - other)[Math.floor(lists.length * 0.95)] ?? Number.NaN
  process.stderr.write('\n')
  printTable([
    [engine, 'mails', 'seconds', 'mails/s', 'event loop, ms', 'inbox p95, ms', 'memory, MB'],
    ['import', ...[imported, seconds, rate, held, list, memory].map(value => Number(value).toFixed(0))],
  ])
  return Number(imported) === count && rate >= MIN_RATE && held <= MAX_HELD && list <= MAX_LIST
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

function heldTimes(file: string): number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}
