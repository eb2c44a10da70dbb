import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createSession } from '../src/auth/session.ts'
import { openDatabase } from '../src/database/open.ts'
import { minutes, seconds, systemClock } from '../src/platform/clock.ts'
import { openMailSink } from '../tests/support/smtp-sink.ts'
import { startMixedLoad } from './mixed-load.ts'
import { clearAtExit, type Measured, startLandfall } from './process.ts'
import { median, printTable } from './table.ts'

/** Megabytes. */
const MAX_IDLE = 110
const MAX_LOADED = 200
/** Between the second third of the load and the last: a leak shows here. */
const MAX_GROWTH = 10
/** Time after the start until everything that is created once exists. */
const IDLE_AFTER = seconds(10)
const EVERY = seconds(1)
const CLIENTS = 8

/** Measures memory, idle and under mixed load: `npm run bench -- memory`, or quicker with `--minutes 1`. */
export async function measure(): Promise<boolean> {
  const { values: given } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '10' } },
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-memory-'))
  clearAtExit(dataDir)
  const sink = await openMailSink()
  const env = { DATA_DIR: dataDir, SMTP_URL: sink.url, MAIL_FROM: 'desk@agency.test' }
  const server = await startLandfall(env)
  showProgress('Idle first, for ten seconds')
  await sleep(IDLE_AFTER)
  const idle = server.memory()
  const load = startMixedLoad(server.url, await signInBeside(dataDir), CLIENTS)
  const samples = await watch(server, minutes(Number(given.minutes)))
  await load.stop()
  await server.close()
  await sink.close()
  await rm(dataDir, { recursive: true, force: true })
  return report(idle, samples, load.answers)
}

/** @returns megabytes, second by second. */
async function watch(server: Measured, milliseconds: number): Promise<number[]> {
  const samples: number[] = []
  while (samples.length < milliseconds / EVERY) {
    await sleep(EVERY)
    samples.push(server.memory())
    showProgress(`${samples.length} of ${milliseconds / EVERY} s: ${server.memory().toFixed(0)} MB`)
  }
  process.stderr.write('\n')
  return samples
}

function report(idle: number, samples: readonly number[], answers: ReadonlyMap<number, number>): boolean {
  const third = Math.floor(samples.length / 3)
  const middle = median(samples.slice(third, 2 * third))
  const last = median(samples.slice(2 * third))
  const most = Math.max(...samples)
  printTable([
    ['memory', 'MB', 'at most'],
    ['idle', idle.toFixed(0), String(MAX_IDLE)],
    ['the most under load', most.toFixed(0), String(MAX_LOADED)],
    ['second third of the load', middle.toFixed(0), ''],
    ['last third', last.toFixed(0), `${MAX_GROWTH} more`],
  ])
  const counts = [...answers].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  process.stdout.write(`Answers: ${counts.join(', ')}\n`)
  return idle <= MAX_IDLE && most <= MAX_LOADED && last - middle <= MAX_GROWTH
}

/** @returns the cookie of an admin, whose session is inserted while the server runs. */
async function signInBeside(dataDir: string): Promise<string> {
  const db = await openDatabase({ dataDir, databaseUrl: null })
  const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const token = await createSession(db, systemClock, id, 'bench')
  await db.destroy()
  return `session=${token}`
}

function showProgress(text: string) {
  process.stderr.write(`\r${text.padEnd(40)}`)
}
