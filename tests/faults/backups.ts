import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openMailSink } from '../support/smtp-sink.ts'
import { type Fault, type FaultRun, waitUntil } from './fault.ts'
import { type DatabaseLocation, openUnmigratedDatabase } from './inspect-database.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder, startLoad } from './load-recorder.ts'
import { onExit } from './on-exit.ts'
import { installProduct, type Product, SECRET_KEY } from './product.ts'

const CLIENTS = 4
/** Enquiries that arrive before each backup, so that no two backups are the same. */
const MORE = 20

const run = promisify(execFile)

export const backedUp: Fault = {
  name: 'F15',
  title: 'backups under load, each of them restored and started',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const folder = mkdtempSync(join(tmpdir(), 'landfall-backups-'))
    const leave = onExit(() => rmSync(folder, { recursive: true, force: true }))
    const recorder = openLoadRecorder()
    await product.start()
    const before = run.cycles(1000, 100_000)
    run.showProgress(`${before} enquiries stored in advance`)
    await runCommand('seed', product, '--messages', String(before), '--yes')
    const cycles = run.cycles(1, 5)
    let cycle = 0
    const sum = { lost: 0, duplicated: 0, failures: [] as string[], slowest: 0 }
    const load = startLoad(recorder, () => product.url, CLIENTS)
    try {
      for (; cycle < cycles && !run.signal.aborted; cycle++) {
        run.showProgress(`${cycle + 1} of ${cycles}`)
        const enough = recorder.acknowledged.size + MORE
        await waitUntil(() => recorder.acknowledged.size >= enough)
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
  sum: { lost: number; duplicated: number; failures: string[]; slowest: number },
) {
  const file = `${folder}.backup`
  // A backup holds everything that was acknowledged before it started.
  const earlier = { acknowledged: new Map(recorder.acknowledged) }
  await runCommand('backup', product, file)
  const place = { databaseUrl: await run.createDatabase(), dataDir: folder }
  const key = join(product.dataDir, 'secret.key')
  if (existsSync(key)) cpSync(key, join(folder, 'secret.key'))
  const begin = performance.now()
  await runCommand('restore', place, file)
  sum.slowest = Math.max(sum.slowest, performance.now() - begin)
  const { lost, duplicated } = await compareWithDatabase(earlier, place)
  sum.lost += lost
  sum.duplicated += duplicated
  const missing = await countMissingRows(place)
  if (missing > 0) sum.failures.push(`${missing} enquiries without the rows of their transaction`)
  sum.failures.push(...(await checkRestored({ ...place, smtpUrl }, earlier.acknowledged)))
}

/** A backup is of one moment: rows that are written in one transaction are all in it, or none. @returns how many are missing */
async function countMissingRows(where: DatabaseLocation): Promise<number> {
  const db = await openUnmigratedDatabase(where)
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

/** Starts the restored installation: it repeats the first response for a known key, and accepts new enquiries. */
async function checkRestored(
  place: DatabaseLocation & { smtpUrl: string },
  acknowledged: ReadonlyMap<string, string>,
): Promise<string[]> {
  const product = await installProduct(place)
  await product.start()
  const recorder = openLoadRecorder()
  const [[key, reference] = ['', '']] = acknowledged
  const again = await recorder.send(product.url, key)
  const fresh = await recorder.send(product.url)
  await product.close()
  if (again !== 201 || fresh !== 201) return [`a restored installation responded with ${again} and ${fresh}`]
  return recorder.acknowledged.get(key) === reference
    ? []
    : ['a restored installation gave another reference']
}

/** Runs a command of the product as an operator does. @throws with its output when it fails */
async function runCommand(name: string, { dataDir, databaseUrl }: DatabaseLocation, ...args: string[]) {
  const own = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY }) }
  await run(process.execPath, [`scripts/${name}.ts`, ...args], { env: { ...process.env, ...own } })
}
