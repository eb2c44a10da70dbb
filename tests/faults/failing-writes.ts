import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { startPostgres } from '../../scripts/postgres.ts'
import { createTestDatabase } from '../support/database.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { type Fault, type FaultRun, type Outcome, skipped, waitUntil } from './fault.ts'
import { openUnmigratedDatabase } from './inspect-database.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder, startLoad } from './load-recorder.ts'
import { onExit } from './on-exit.ts'
import { installProduct, type Product } from './product.ts'
import { mountSmallDisk } from './small-disk.ts'

/** Megabytes: an empty PostgreSQL uses 60 of them. */
const SIZES = { SQLite: 64, PostgreSQL: 160 }
const CLIENTS = 8
/** Enquiries that are accepted before writes fail, refused meanwhile, and accepted again afterwards. */
const ENOUGH = 40

export const diskFull: Fault = {
  name: 'F8',
  title: 'the disk is full, and every second time the process on it is killed',
  engines: ['SQLite', 'PostgreSQL'],
  execute: async run =>
    await inCycles(run, run.cycles(2, 20, 1), async (isKilled, failures) => {
      const disk = mountSmallDisk(SIZES[run.engine])
      if (!disk) return 'no separate disk can be mounted here'
      try {
        const { folder, fill, makeRoom } = disk
        // Fills again whatever other files free meanwhile.
        const cause = { folder, begin: fill, refill: fill, end: makeRoom }
        return await failTemporarily(run, cause, isKilled, failures)
      } finally {
        disk.remove()
      }
    }),
}

export const writesFail: Fault = {
  name: 'F9',
  title: 'writes fail, and every second time the product is killed meanwhile',
  engines: ['SQLite'],
  execute: async run =>
    await inCycles(run, run.cycles(2, 20), async (isKilled, failures) => {
      if (spawnSync('prlimit', ['--version']).status !== 0) return 'there is no prlimit here'
      return await failTemporarily(run, { begin: blockGrowth, end: allowGrowth }, isKilled, failures)
    }),
}

/** From now on a file of the product that would grow past the log of the database fails with an error of the disk. */
function blockGrowth({ id, dataDir }: Product) {
  limitFiles(id(), String(statSync(join(dataDir, 'landfall.sqlite-wal')).size))
}

function allowGrowth({ id }: Product) {
  limitFiles(id(), 'unlimited')
}

function limitFiles(process: number | null, bytes: string) {
  if (process === null) return
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(process), `--fsize=${bytes}:`])
  if (status !== 0) throw new Error(`prlimit failed: ${stderr}`)
}

interface Sum {
  acknowledged: number
  lost: number
  duplicated: number
  refused: number
  restarts: number
}

/** @param runOnce returns the reason when it cannot run here */
async function inCycles(
  run: FaultRun,
  cycles: number,
  runOnce: (isKilled: boolean, failures: string[]) => Promise<Sum | string>,
): Promise<Outcome> {
  const sum: Sum = { acknowledged: 0, lost: 0, duplicated: 0, refused: 0, restarts: 0 }
  const failures: string[] = []
  let done = 0
  for (; done < cycles && !run.signal.aborted && failures.length === 0; done++) {
    const result = await runOnce(done % 2 === 1, failures)
    if (typeof result === 'string') return skipped(result)
    for (const key of ['acknowledged', 'lost', 'duplicated', 'refused', 'restarts'] as const)
      sum[key] += result[key]
    run.showProgress(`${done + 1} of ${cycles}, ${sum.refused} rejected`)
  }
  const stopped = sum.restarts > 0 ? `, PostgreSQL stopped ${sum.restarts} times` : ''
  return { ...sum, cycles: done, failures, remark: `${sum.refused} rejected with 503${stopped}` }
}

interface Cause {
  /** DatabaseLocation everything is that is written; anywhere if there is none. */
  readonly folder?: string
  begin(product: Product): void
  refill?(): void
  end(product: Product): void
}

/** Runs an installation that accepts enquiries, then cannot store any, then accepts them again. */
async function failTemporarily(
  run: FaultRun,
  cause: Cause,
  isKilled: boolean,
  failures: string[],
): Promise<Sum> {
  const { folder } = cause
  const mail = await openMailSink()
  const postgres = run.postgres && (await startPostgres(folder))
  const end = onExit(() => postgres?.stop())
  const databaseUrl = postgres && (await createTestDatabase(postgres.url))
  const dataDir = folder && { dataDir: join(folder, 'data') }
  const product = await installProduct({ databaseUrl, smtpUrl: mail.url, ...dataDir })
  const recorder = openLoadRecorder()
  await product.start()
  await fetch(`${product.url}/`)
  const load = startLoad(recorder, () => product.url, CLIENTS)
  let restarts = 0
  // PostgreSQL stops when its log does not fit on the disk; a supervisor starts it again.
  const reviveServer = () => {
    if (!postgres || postgres.isUp()) return
    postgres.start()
    restarts++
  }
  try {
    await awaitMore(recorder, 201)
    cause.begin(product)
    if (!(await awaitMore(recorder, 503, cause.refill)))
      failures.push('no enquiry got a 503 while writes failed')
    if ((await fetch(`${product.url}/`)).status !== 200) failures.push('the home page failed')
    if (isKilled) {
      await fillLog(product)
      await product.kill()
    }
    cause.end(product)
    reviveServer()
    if (isKilled) await product.start()
    if (!(await awaitMore(recorder, 201, reviveServer))) failures.push('no enquiry was accepted afterwards')
  } finally {
    await load.end()
  }
  for (const status of recorder.statuses.keys())
    if (![0, 201, 503].includes(status)) failures.push(`a failed write got ${status}`)
  const { lost, duplicated } = await compareWithDatabase(recorder, product)
  await product.kill()
  if (!postgres) failures.push(...checkIntegrity(product))
  await product.close()
  end()
  await mail.close()
  const refused = recorder.statuses.get(503) ?? 0
  return { acknowledged: recorder.acknowledged.size, lost, duplicated, refused, restarts }
}

/** Makes PostgreSQL start new files of its log for which there is no room. */
async function fillLog({ databaseUrl, dataDir }: Product) {
  if (!databaseUrl) return
  const db = await openUnmigratedDatabase({ databaseUrl, dataDir })
  for (let files = 0; files < 3; files++)
    await sql`select pg_switch_wal(), txid_current()`.execute(db).catch(() => {})
  await db.destroy()
}

async function awaitMore(recorder: LoadRecorder, status: number, meanwhile = () => {}) {
  const count = () => recorder.statuses.get(status) ?? 0
  const enough = count() + ENOUGH
  return await waitUntil(() => {
    meanwhile()
    return count() >= enough
  })
}

/** The errors that SQLite finds in its own file. */
function checkIntegrity({ dataDir }: Product): string[] {
  const db = new DatabaseSync(join(dataDir, 'landfall.sqlite'))
  const found = db
    .prepare('pragma integrity_check')
    .all()
    .map(row => String(row.integrity_check))
  db.close()
  return found.filter(line => line !== 'ok')
}
