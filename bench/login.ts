import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../scripts/postgres.ts'
import { hashPassword } from '../src/auth/password.ts'
import { newId } from '../src/database/id.ts'
import { openDatabase } from '../src/database/open.ts'
import { days, isoAfter, systemClock } from '../src/platform/clock.ts'
import { createTestDatabase, dropTestDatabase } from '../tests/support/database.ts'
import { startLandfall } from './process.ts'
import { median, printTable } from './table.ts'

/** Between these is the chance that a response of one kind takes longer than one of another; a half is no difference. */
const FAIR = { least: 0.45, most: 0.55 }
const EACH = 500
/** Of each kind, before the measurement. */
const WARM_UP = 20
/** An account locks with the next. */
const MAX_TRIES = 4

const kinds = ['unknown', 'wrong', 'locked'] as const
type Kind = (typeof kinds)[number]
type Times = Record<Kind, number[]>

/** Whether the response time of a failed login reveals that an account exists or is locked, on both engines. */
export async function measure(): Promise<boolean> {
  const rows = [['', 'unknown, ms', 'wrong, ms', 'locked, ms', 'unknown : wrong', 'unknown : locked']]
  const verifications: boolean[] = []
  const postgres = process.env.TEST_DATABASE_URL ? null : await startPostgres()
  if (postgres) process.env.TEST_DATABASE_URL = postgres.url
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    if (engine === 'PostgreSQL' && !process.env.TEST_DATABASE_URL) continue
    let isFair = false
    // One in fifty measurements of equal times looks unequal; two in a row do not.
    for (let round = 1; round <= 2 && !isFair; round++) {
      const times = await timeLogins(engine)
      const areas = [areaUnderCurve(times.unknown, times.wrong), areaUnderCurve(times.unknown, times.locked)]
      isFair = areas.every(area => area >= FAIR.least && area <= FAIR.most)
      const medians = kinds.map(kind => median(times[kind]).toFixed(2))
      rows.push([`${engine}, round ${round}`, ...medians, ...areas.map(area => area.toFixed(3))])
    }
    verifications.push(isFair)
  }
  postgres?.stop()
  printTable(rows)
  return verifications.every(Boolean)
}

async function timeLogins(engine: 'SQLite' | 'PostgreSQL'): Promise<Times> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-login-'))
  const databaseUrl = engine === 'PostgreSQL' ? await createTestDatabase() : null
  const accounts = await addAccounts({ dataDir, databaseUrl })
  const server = await startLandfall({
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret of thirty-two characters, or more',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  try {
    const logIn = await openLogin(server.url)
    const times: Times = { unknown: [], wrong: [], locked: [] }
    for (let round = -WARM_UP; round < EACH; round++)
      for (const kind of shuffled(kinds)) {
        const time = await logIn(accounts[kind](round + WARM_UP))
        if (round >= 0) times[kind].push(time)
      }
    return times
  } finally {
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  }
}

/** Enough that none of them is locked by the measurement. @returns the address to try in each round. */
async function addAccounts(where: {
  dataDir: string
  databaseUrl: string | null
}): Promise<Record<Kind, (round: number) => string>> {
  const password_hash = await hashPassword('Quiet-Harbour-9-Lantern!')
  const created_at = isoAfter(systemClock)
  const rows = Array.from({ length: 2 * Math.ceil((EACH + WARM_UP) / MAX_TRIES) }, (_, number) => ({
    id: newId(systemClock()),
    email: `${newId(systemClock())}@agency.test`,
    name: 'Robin',
    role: 'viewer' as const,
    password_hash,
    is_default: 0 as const,
    email_verified: 1 as const,
    failed_sign_ins: number % 2 ? 5 : 0,
    locked_until: number % 2 ? isoAfter(systemClock, days(2)) : null,
    created_at,
  }))
  const db = await openDatabase(where)
  await db.insertInto('users').values(rows).execute()
  await db.destroy()
  const emailOf = (round: number, isLocked: 0 | 1) =>
    rows[2 * Math.floor(round / MAX_TRIES) + isLocked]?.email ?? ''
  return {
    unknown: () => `${newId(systemClock())}@agency.test`,
    wrong: round => emailOf(round, 0),
    locked: round => emailOf(round, 1),
  }
}

/** @returns a function that sends a wrong password, each time from a new IP address, and returns the milliseconds until the reply. */
async function openLogin(url: string): Promise<(email: string) => Promise<number>> {
  const first = await fetch(`${url}/api/csrf-token`)
  const { csrfToken }: { csrfToken: string } = await first.json()
  const cookie = first.headers.getSetCookie().map(given => given.split(';')[0])
  const headers = { cookie: cookie.join('; '), 'x-csrf-token': csrfToken, 'sec-fetch-site': 'same-origin' }
  let visitors = 0
  return async email => {
    const address = `198.18.${(++visitors >> 8) & 255}.${visitors & 255}`
    const start = performance.now()
    const reply = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email, password: 'Wrong-Password-1!' }),
    })
    await reply.arrayBuffer()
    if (reply.status !== 401) throw new Error(`A login answered ${reply.status}`)
    return performance.now() - start
  }
}

/** The chance that one of the others is longer than one of these; equal ones count half. */
function areaUnderCurve(these: readonly number[], others: readonly number[]): number {
  const longer = these.flatMap(one => others.map(other => (other > one ? 1 : other === one ? 0.5 : 0)))
  return longer.reduce<number>((sum, points) => sum + points, 0) / longer.length
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map(value => ({ value, place: randomInt(2 ** 32) }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}
