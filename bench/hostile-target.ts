import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSession } from '../src/auth/session.ts'
import { openDatabase } from '../src/database/open.ts'
import { systemClock } from '../src/platform/clock.ts'
import { newMessages } from '../tests/support/messages.ts'
import { clearAtExit, startLandfall } from './process.ts'

/** Messages of 10 KB each in which a search takes long. */
const TEXTS = 12_000
/** Words of two characters, which no index covers. */
export const SHORT_WORDS = 'đi ăn ở bờ hồ uố êm ái ôi ưa ấm úp ổi ồn ắt ẩn ỏi ủi'.split(' ')
const texts = [`${SHORT_WORDS.join(' ')} `.repeat(150).slice(0, 7000), 'a'.repeat(9900), '😀é'.repeat(1600)]

type DatabasePlace = Parameters<typeof openDatabase>[0]

/** A server to attack. */
export interface Target {
  readonly url: string
  readonly dataDir: string
  /** Where its database is. */
  readonly place: DatabasePlace
  /** Of an admin who is signed in. */
  readonly cookie: string
  /** Megabytes that it holds in memory now. */
  memory(): number
  /** Milliseconds of processor time that it has used so far, in all its threads. */
  cpu(): number
  /** Milliseconds of processor time for which its event loop was held at the longest since the last reading. */
  readHeld(): number
  close(): Promise<void>
}

/** What an attacker knows of a server. */
export interface Victim {
  readonly url: string
  /** Of an admin who is signed in. */
  readonly cookie: string
}

export interface Attack {
  readonly name: string
  /** Whether it needs a database full of long messages. */
  readonly needsTexts?: true
  /** Of the server, beside what all have. */
  env?(): Readonly<Record<string, string>>
  begin(victim: Victim): Promise<{ end(): Promise<void> }>
}

/**
 * What one person can make large or slow with the calls that they may use, each with figures of its own. The attacks of
 * `hostile-attacks.ts` share theirs: what visitors notice.
 */
export interface Case {
  /** Begins with the id of the finding, by which it is selected: `npm run bench -- hostile A2`. */
  readonly name: string
  /** Of the server, beside what all have. */
  readonly env?: Readonly<Record<string, string>>
  /** On a new server, whose database it may fill beside it. */
  measure(target: Target): Promise<readonly Figure[]>
}

/** Good up to `most`. The name says what it is compared with, which is measured in the same run. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly most: number
}

/** @param databaseUrl of PostgreSQL; null for SQLite */
export async function openTarget(
  needsTexts = false,
  databaseUrl: string | null = null,
  env: Readonly<Record<string, string>> = {},
): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-hostile-'))
  clearAtExit(dataDir)
  const place = { dataDir, databaseUrl }
  if (needsTexts) await fill(place)
  const heldFile = join(dataDir, 'held.txt')
  const probe = pathToFileURL('bench/held-probe.ts').href
  const server = await startLandfall({
    DATA_DIR: dataDir,
    HELD_FILE: heldFile,
    ...(databaseUrl && {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'a secret of thirty-two characters, or more',
    }),
    NODE_OPTIONS: `--import ${probe}`,
    ...env,
  })
  return { ...server, dataDir, place, cookie: await signInBeside(place), readHeld: () => readHeld(heldFile) }
}

async function fill(place: DatabasePlace) {
  const db = await openDatabase(place)
  const rows = newMessages(
    new Date(),
    Array.from({ length: TEXTS }, (_, at) => ({ message: texts[at % texts.length] ?? '', is_read: 1 })),
  ).toReversed()
  for (let at = 0; at < rows.length; at += 200)
    await db
      .insertInto('messages')
      .values(rows.slice(at, at + 200))
      .execute()
  await db.destroy()
}

/** @returns the cookie of an admin, whose session is inserted while the server runs. */
async function signInBeside(place: DatabasePlace): Promise<string> {
  const db = await openDatabase(place)
  const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const token = await createSession(db, systemClock, id, 'bench')
  await db.destroy()
  return `session=${token}`
}

/** @returns milliseconds; what the probe has written since the last reading. */
function readHeld(file: string): number {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  writeFileSync(file, '')
  return Math.max(0, ...lines.map(Number))
}
