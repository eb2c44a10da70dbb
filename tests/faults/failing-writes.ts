import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { startPostgres } from '../../scripts/postgres.ts'
import { createTestDatabase } from '../support/database.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { atTheEnd } from './at-the-end.ts'
import { type Fault, type FaultRun, happens, leftOut, type Outcome } from './fault.ts'
import { openDatabaseBeside } from './inspect-database.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder, startLoad } from './load-recorder.ts'
import { installProduct, type Product } from './product.ts'
import { mountSmallDisk } from './small-disk.ts'

/** Megabytes: an empty PostgreSQL takes 60 of them. */
const SIZES = { SQLite: 64, PostgreSQL: 160 }
const CLIENTS = 8
/** Enquiries that are accepted before writes fail, refused meanwhile, and accepted again afterwards. */
const ENOUGH = 40

export const diskFull: Fault = {
  name: 'F8',
  title: 'the disk is full, and every other time what runs on it dies',
  engines: ['SQLite', 'PostgreSQL'],
  prove: async run =>
    await inCycles(run, run.cycles(2, 20, 1), async (dies, complaints) => {
      const disk = mountSmallDisk(SIZES[run.engine])
      if (!disk) return 'no disk of its own can be mounted here'
      try {
        const { folder, fill, makeRoom } = disk
        // What others give back meanwhile is taken as well.
        const cause = { folder, begin: fill, goOn: fill, end: makeRoom }
        return await failForAWhile(run, cause, dies, complaints)
      } finally {
        disk.remove()
      }
    }),
}

export const writesFail: Fault = {
  name: 'F9',
  title: 'writes fail, and every other time the product dies meanwhile',
  engines: ['SQLite'],
  prove: async run =>
    await inCycles(run, run.cycles(2, 20), async (dies, complaints) => {
      if (spawnSync('prlimit', ['--version']).status !== 0) return 'there is no prlimit here'
      return await failForAWhile(run, { begin: blockGrowth, end: allowGrowth }, dies, complaints)
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

/** @param tryOnce says why when it cannot be tried here */
async function inCycles(
  run: FaultRun,
  cycles: number,
  tryOnce: (dies: boolean, complaints: string[]) => Promise<Sum | string>,
): Promise<Outcome> {
  const sum: Sum = { acknowledged: 0, lost: 0, duplicated: 0, refused: 0, restarts: 0 }
  const complaints: string[] = []
  let done = 0
  for (; done < cycles && !run.signal.aborted && complaints.length === 0; done++) {
    const came = await tryOnce(done % 2 === 1, complaints)
    if (typeof came === 'string') return leftOut(came)
    for (const key of ['acknowledged', 'lost', 'duplicated', 'refused', 'restarts'] as const)
      sum[key] += came[key]
    run.tell(`${done + 1} of ${cycles}, ${sum.refused} refused`)
  }
  const gaveUp = sum.restarts > 0 ? `, PostgreSQL gave up ${sum.restarts} times` : ''
  return { ...sum, cycles: done, complaints, remark: `${sum.refused} refused with 503${gaveUp}` }
}

interface Cause {
  /** Where everything is that is written; anywhere if there is none. */
  readonly folder?: string
  begin(product: Product): void
  goOn?(): void
  end(product: Product): void
}

/** An installation of its own that takes enquiries, then cannot, then takes them again. */
async function failForAWhile(run: FaultRun, cause: Cause, dies: boolean, complaints: string[]): Promise<Sum> {
  const { folder } = cause
  const mail = await openMailSink()
  const postgres = run.postgres && (await startPostgres(false, folder))
  const end = atTheEnd(() => postgres?.stop())
  const databaseUrl = postgres && (await createTestDatabase(postgres.url))
  const dataDir = folder && { dataDir: join(folder, 'data') }
  const product = await installProduct({ databaseUrl, smtpUrl: mail.url, ...dataDir })
  const recorder = openLoadRecorder()
  await product.start()
  await fetch(`${product.url}/`)
  const load = startLoad(recorder, () => product.url, CLIENTS)
  let restarts = 0
  // PostgreSQL gives up when its own log does not fit; whoever looks after it starts it again.
  const reviveServer = () => {
    if (!postgres || postgres.isUp()) return
    postgres.start()
    restarts++
  }
  try {
    await awaitMore(recorder, 201)
    cause.begin(product)
    if (!(await awaitMore(recorder, 503, cause.goOn)))
      complaints.push('nothing was refused while writes failed')
    if ((await fetch(`${product.url}/`)).status !== 200) complaints.push('the home page went away')
    if (dies) {
      await fillLog(product)
      await product.kill()
    }
    cause.end(product)
    reviveServer()
    if (dies) await product.start()
    if (!(await awaitMore(recorder, 201, reviveServer))) complaints.push('afterwards no enquiry is accepted')
  } finally {
    await load.end()
  }
  for (const status of recorder.statuses.keys())
    if (![0, 201, 503].includes(status)) complaints.push(`a failed write was answered ${status}`)
  const { lost, duplicated } = await compareWithDatabase(recorder, product)
  await product.kill()
  if (!postgres) complaints.push(...examine(product))
  await product.close()
  end()
  await mail.close()
  const refused = recorder.statuses.get(503) ?? 0
  return { acknowledged: recorder.acknowledged.size, lost, duplicated, refused, restarts }
}

/** Has PostgreSQL begin files of its log for which there is no room. */
async function fillLog({ databaseUrl, dataDir }: Product) {
  if (!databaseUrl) return
  const db = await openDatabaseBeside({ databaseUrl, dataDir })
  for (let files = 0; files < 3; files++)
    await sql`select pg_switch_wal(), txid_current()`.execute(db).catch(() => {})
  await db.destroy()
}

async function awaitMore(recorder: LoadRecorder, status: number, meanwhile = () => {}) {
  const count = () => recorder.statuses.get(status) ?? 0
  const enough = count() + ENOUGH
  return await happens(() => {
    meanwhile()
    return count() >= enough
  })
}

/** What SQLite finds wrong with its own file. */
function examine({ dataDir }: Product): string[] {
  const db = new DatabaseSync(join(dataDir, 'landfall.sqlite'))
  const found = db
    .prepare('pragma integrity_check')
    .all()
    .map(row => String(row.integrity_check))
  db.close()
  return found.filter(line => line !== 'ok')
}
