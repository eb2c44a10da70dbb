import '../src/platform/umask.ts'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/database/open.ts'
import type { Database } from '../src/database/tables.ts'
import { escapeControls } from '../src/platform/terminal.ts'
import { SEED_HOST, seedLogs, seedMessages, seedUsers } from './seeding.ts'

/**
 * Fills the database with plausible rows: `npm run seed -- --messages 1000000 --logs 1000000 --users 50`. Ctrl+C ends it
 * after the current batch. It refuses to run on a database with real people, unless `--yes` is set.
 */
const steps = { users: seedUsers, messages: seedMessages, logs: seedLogs }
const whole = { type: 'string', default: '0' } as const
const { values } = read()
const wanted = { users: count('users'), messages: count('messages'), logs: count('logs') }
if (Object.values(wanted).every(number => number === 0))
  fail('Name the numbers of rows: npm run seed -- --messages 1000 --logs 1000 --users 10')

let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopped = true
  })
const db = await openDatabase(readConfig(process.env))
try {
  if (!values.yes && (await hasRealPeople(db)))
    fail('There are real messages or members of staff here. Add --yes to seed the database anyway.')
  for (const name of ['users', 'messages', 'logs'] as const) await seed(name, wanted[name])
} finally {
  await db.destroy()
}

async function seed(name: keyof typeof steps, total: number) {
  if (total === 0 || isStopped) return
  const start = performance.now()
  let shown = 0
  const written = await steps[name](db, total, done => {
    const percent = Math.floor((done / total) * 100)
    if (percent >= shown + 10 || (process.stdout.isTTY && percent > shown)) {
      shown = percent
      process.stdout.write(process.stdout.isTTY ? `\r${name}: ${percent} %` : `${name}: ${percent} %\n`)
    }
    return isStopped
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  process.stdout.write(`${process.stdout.isTTY ? '\r' : ''}${name}: ${written} in ${seconds} s\n`)
}

/** Whether anyone is neither seeded nor the first admin. */
async function hasRealPeople(db: Database): Promise<boolean> {
  const seeded = `%@${SEED_HOST}`
  const message = await db
    .selectFrom('messages')
    .select('id')
    .where('email', 'not like', seeded)
    .limit(1)
    .executeTakeFirst()
  const users = db
    .selectFrom('users')
    .select('id')
    .where('email', 'not like', seeded)
    .where('is_default', '=', 0)
  return message !== undefined || (await users.limit(1).executeTakeFirst()) !== undefined
}

function read() {
  try {
    const options = {
      users: whole,
      messages: whole,
      logs: whole,
      yes: { type: 'boolean', default: false },
    } as const
    return parseArgs({ options })
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

function count(name: keyof typeof steps): number {
  if (/^\d{1,8}$/.test(values[name])) return Number(values[name])
  return fail(`--${name} takes a whole number, not "${values[name]}"`)
}

function fail(message: string): never {
  process.stderr.write(`${escapeControls(message)}\n`)
  process.exit(1)
}
