import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { startPostgres } from '../scripts/postgres.ts'
import { createTestDatabase } from '../src/testing/database.ts'
import { openMailSink } from '../src/testing/mail-sink.ts'
import { atTheEnd } from './at-the-end.ts'
import { openBeside } from './beside.ts'
import { type Fault, happens, leftOut, type Trial } from './fault.ts'
import { beginLoad, compareWithDatabase, type Ledger, openLedger } from './ledger.ts'
import { installProduct, type Product } from './product.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Megabytes: an empty PostgreSQL takes 60 of them. */
const SIZES = { SQLite: 64, PostgreSQL: 160 }
const CLIENTS = 8
/** Enquiries that a full disk must have refused before there is room again. */
const REFUSALS = 40

export const diskFull: Fault = {
  name: 'F8',
  title: 'the disk is full, and every other time what runs on it dies',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(trial) {
    const cycles = trial.cycles(2, 20, 1)
    const sum = { acknowledged: 0, lost: 0, duplicated: 0, refused: 0, restarts: 0 }
    const complaints: string[] = []
    for (let cycle = 0; cycle < cycles && !trial.signal.aborted && complaints.length === 0; cycle++) {
      const disk = mountSmallDisk(SIZES[trial.engine])
      if (!disk) return leftOut('no disk of its own can be mounted here')
      try {
        const came = await runOut(trial, disk, cycle % 2 === 1, complaints)
        for (const key of ['acknowledged', 'lost', 'duplicated', 'refused', 'restarts'] as const)
          sum[key] += came[key]
      } finally {
        disk.remove()
      }
      trial.tell(`${cycle + 1} of ${cycles}, ${sum.refused} refused`)
    }
    const remark = `${sum.refused} refused with 503${sum.restarts > 0 ? `, PostgreSQL gave up ${sum.restarts} times` : ''}`
    return { ...sum, cycles, complaints, remark }
  },
}

async function runOut(trial: Trial, disk: SmallDisk, dies: boolean, complaints: string[]) {
  const mail = await openMailSink()
  const postgres = trial.postgres && (await startPostgres(false, disk.folder))
  const end = atTheEnd(() => postgres?.stop())
  const databaseUrl = postgres && (await createTestDatabase(postgres.url))
  const dataDir = join(disk.folder, 'data')
  const product = await installProduct({ databaseUrl, smtpUrl: mail.url, dataDir })
  const ledger = openLedger()
  await product.start()
  await fetch(`${product.url}/`)
  const load = beginLoad(ledger, () => product.url, CLIENTS)
  let restarts = 0
  // PostgreSQL gives up when its own log does not fit; whoever looks after it starts it again.
  const reviveServer = () => {
    if (!postgres || postgres.isUp()) return
    postgres.start()
    restarts++
  }
  try {
    await awaitMore(ledger, 201, REFUSALS)
    await spendTimeFull(product, disk, ledger, { dies, complaints })
    reviveServer()
    if (dies) await product.start()
    if (!(await awaitMore(ledger, 201, REFUSALS, reviveServer)))
      complaints.push('with room again no enquiry is accepted')
  } finally {
    await load.end()
  }
  for (const status of ledger.statuses.keys())
    if (![0, 201, 503].includes(status)) complaints.push(`a full disk was answered ${status}`)
  const { lost, duplicated } = await compareWithDatabase(ledger, product)
  await product.close()
  if (!postgres) complaints.push(...examine(dataDir))
  end()
  await mail.close()
  const refused = ledger.statuses.get(503) ?? 0
  return { acknowledged: ledger.acknowledged.size, lost, duplicated, refused, restarts }
}

async function spendTimeFull(
  product: Product,
  disk: SmallDisk,
  ledger: Ledger,
  { dies, complaints }: { dies: boolean; complaints: string[] },
) {
  disk.fill()
  const isFelt = await awaitMore(ledger, 503, REFUSALS, () => disk.fill())
  if (!isFelt) complaints.push('a full disk was not felt')
  if ((await fetch(`${product.url}/`)).status !== 200) complaints.push('a full disk took the home page away')
  if (dies) await fillLog(product)
  if (dies) await product.kill()
  disk.makeRoom()
}

/** Has PostgreSQL begin files of its log for which there is no room. */
async function fillLog({ databaseUrl, dataDir }: Product) {
  if (!databaseUrl) return
  const db = await openBeside({ databaseUrl, dataDir })
  for (let files = 0; files < 3; files++)
    await sql`select pg_switch_wal(), txid_current()`.execute(db).catch(() => {})
  await db.destroy()
}

async function awaitMore(ledger: Ledger, status: number, more: number, meanwhile = () => {}) {
  const count = () => ledger.statuses.get(status) ?? 0
  const enough = count() + more
  return await happens(() => {
    meanwhile()
    return count() >= enough
  })
}

/** What SQLite finds wrong with its own file. */
function examine(dataDir: string): string[] {
  const db = new DatabaseSync(join(dataDir, 'landfall.sqlite'))
  const found = db
    .prepare('pragma integrity_check')
    .all()
    .map(row => String(row.integrity_check))
  db.close()
  return found.filter(line => line !== 'ok')
}
