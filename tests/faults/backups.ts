import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openMailSink } from '../support/smtp-sink.ts'
import { atTheEnd } from './at-the-end.ts'
import { type Fault, type FaultRun, happens } from './fault.ts'
import { openDatabaseBeside, type Where } from './inspect-database.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder, startLoad } from './load-recorder.ts'
import { installProduct, type Product, SECRET_KEY } from './product.ts'

const CLIENTS = 4
/** Enquiries that come in before each backup, so that it is of other things than the one before. */
const MORE = 20

const run = promisify(execFile)

export const backedUp: Fault = {
  name: 'F15',
  title: 'backups under load, each restored and started',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(run) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const folder = mkdtempSync(join(tmpdir(), 'landfall-backups-'))
    const leave = atTheEnd(() => rmSync(folder, { recursive: true, force: true }))
    const recorder = openLoadRecorder()
    await product.start()
    const before = run.cycles(1000, 100_000)
    run.tell(`${before} enquiries that are there already`)
    await command('seed', product, '--messages', String(before), '--yes')
    const cycles = run.cycles(1, 5)
    let cycle = 0
    const sum = { lost: 0, duplicated: 0, complaints: [] as string[], slowest: 0 }
    const load = startLoad(recorder, () => product.url, CLIENTS)
    try {
      for (; cycle < cycles && !run.signal.aborted; cycle++) {
        run.tell(`${cycle + 1} of ${cycles}`)
        const enough = recorder.acknowledged.size + MORE
        await happens(() => recorder.acknowledged.size >= enough)
        await backUpAndRestore(run, product, join(folder, `${cycle}`), mail.url, recorder, sum)
      }
    } finally {
      await load.end()
    }
    await product.close()
    await mail.close()
    leave()
    const remark = `${before.toLocaleString('en-AU')} enquiries and more restored in ${(sum.slowest / 1000).toFixed(1)} s`
    return { ...sum, cycles: cycle, acknowledged: recorder.acknowledged.size, remark }
  },
}

async function backUpAndRestore(
  run: FaultRun,
  product: Product,
  folder: string,
  smtpUrl: string,
  recorder: LoadRecorder,
  sum: { lost: number; duplicated: number; complaints: string[]; slowest: number },
) {
  const file = `${folder}.backup`
  // What was answered before a backup began is in it.
  const earlier = { acknowledged: new Map(recorder.acknowledged) }
  await command('backup', product, file)
  const place = { databaseUrl: await run.createDatabase(), dataDir: folder }
  const begin = performance.now()
  await command('restore', place, file)
  sum.slowest = Math.max(sum.slowest, performance.now() - begin)
  const key = join(product.dataDir, 'secret.key')
  if (existsSync(key)) cpSync(key, join(folder, 'secret.key'))
  const { lost, duplicated } = await compareWithDatabase(earlier, place)
  sum.lost += lost
  sum.duplicated += duplicated
  const halves = await countHalves(place)
  if (halves > 0) sum.complaints.push(`${halves} enquiries without what was stored with them`)
  sum.complaints.push(...(await serveAgain({ ...place, smtpUrl }, earlier.acknowledged)))
}

/** A backup is of one moment: who is in one of the tables that are written together is in all of them. */
async function countHalves(where: Where): Promise<number> {
  const db = await openDatabaseBeside(where)
  const { rows } = await sql<{ count: number }>`
    select cast((select count(*) from messages where message like 'Enquiry under the key%')
      - (select count(*) from idempotency_keys) as integer) as count
    union all
    select cast(count(*) as integer) from messages
      left join outbox on outbox.message_id = messages.id
      left join digest_items on digest_items.message_id = messages.id
      where outbox.id is null and digest_items.message_id is null and message like 'Enquiry under the key%'`.execute(
    db,
  )
  await db.destroy()
  return rows.reduce((all, { count }) => all + Math.abs(Number(count)), 0)
}

/** The restored installation gives the first answer again, and takes new enquiries. */
async function serveAgain(
  place: Where & { smtpUrl: string },
  acknowledged: ReadonlyMap<string, string>,
): Promise<string[]> {
  const product = await installProduct(place)
  await product.start()
  const recorder = openLoadRecorder()
  const [[key, reference] = ['', '']] = acknowledged
  const again = await recorder.send(product.url, key)
  const fresh = await recorder.send(product.url)
  await product.close()
  if (again !== 201 || fresh !== 201) return [`a restored installation answered ${again} and ${fresh}`]
  return recorder.acknowledged.get(key) === reference
    ? []
    : ['a restored installation gave another reference']
}

/** A command of the product, as an operator runs it. @throws with what it said when it fails */
async function command(name: string, { dataDir, databaseUrl }: Where, ...args: string[]) {
  const own = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY }) }
  await run(process.execPath, [`scripts/${name}.ts`, ...args], { env: { ...process.env, ...own } })
}
