import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSession } from '../src/auth/session.ts'
import { systemClock } from '../src/clock.ts'
import { openDatabase } from '../src/database/open.ts'
import { newMessages } from '../tests/support/messages.ts'
import { clearAtExit, startLandfall } from './process.ts'

/** Messages of 10 KB each in which a search takes long. */
const TEXTS = 12_000
/** Words of two characters, which no index covers. */
export const SHORT_WORDS = 'đi ăn ở bờ hồ uố êm ái ôi ưa ấm úp ổi ồn ắt ẩn ỏi ủi'.split(' ')
const texts = [`${SHORT_WORDS.join(' ')} `.repeat(150).slice(0, 7000), 'a'.repeat(9900), '😀é'.repeat(1600)]

/** A server to attack. */
export interface Target {
  readonly url: string
  readonly dataDir: string
  /** Of an admin who is signed in. */
  readonly cookie: string
  /** Megabytes that it holds in memory now. */
  memory(): number
  /** Milliseconds of processor time for which its event loop was held at the longest since the last reading. */
  readHeld(): number
  close(): Promise<void>
}

export async function openTarget(needsTexts = false): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-hostile-'))
  clearAtExit(dataDir)
  if (needsTexts) await fill(dataDir)
  const heldFile = join(dataDir, 'held.txt')
  const probe = pathToFileURL('bench/held-probe.ts').href
  const server = await startLandfall({
    DATA_DIR: dataDir,
    HELD_FILE: heldFile,
    NODE_OPTIONS: `--import ${probe}`,
  })
  return { ...server, dataDir, cookie: await signInBeside(dataDir), readHeld: () => readHeld(heldFile) }
}

async function fill(dataDir: string) {
  const db = await openDatabase({ dataDir, databaseUrl: null })
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
async function signInBeside(dataDir: string): Promise<string> {
  const db = await openDatabase({ dataDir, databaseUrl: null })
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
