import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Database } from '../database/tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import { seconds } from '../platform/clock.ts'
import { CHANNEL } from './record-change.server.ts'

/** A connection may be open and hear nothing, for example through a pooler that hands it to others between statements. */
const TEST_EVERY = seconds(30)
const TEST_TIMEOUT = seconds(2)
/** With the time that an attempt takes, changes are looked for every five seconds while listening fails. */
const RETRY_AFTER = seconds(3)

interface Listening {
  readonly db: Database
  readonly log: Log
  readonly databaseUrl: string
  /** Ends it. */
  readonly signal: AbortSignal
  /** Called when something may have changed. */
  onChange(): void
}

/** Listens for the NOTIFY of other transactions on a connection of its own until the signal; never fails. */
export async function keepListening(listening: Listening): Promise<void> {
  const { signal, log, onChange } = listening
  let isReported = false
  while (!signal.aborted) {
    const error = await listen(listening, () => {
      isReported = false
    })
    if (signal.aborted) return
    if (!isReported)
      log('warning', 'API', 'Listening for changes failed: polling instead', describeError(error))
    isReported = true
    onChange()
    await sleep(RETRY_AFTER, null, { signal, ref: false }).catch(() => {})
  }
}

/** @returns why it has ended */
async function listen({ db, databaseUrl, signal, onChange }: Listening, onSuccess: () => void) {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: TEST_TIMEOUT,
    keepAlive: true,
  })
  const tests = new Map<string, () => void>()
  client.on('notification', ({ payload = '' }) => (payload === '' ? onChange() : tests.get(payload)?.()))
  let stop = () => {}
  const lost = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('The connection has ended')))
    stop = () => reject(new Error('Stopped'))
  })
  signal.addEventListener('abort', stop)
  try {
    await Promise.race([lost, client.connect()])
    await Promise.race([lost, client.query(`listen ${CHANNEL}`)])
    for (;;) {
      await Promise.race([lost, checkNotifyRoundTrip(db, tests)])
      onSuccess()
      onChange()
      await Promise.race([lost, sleep(TEST_EVERY, null, { signal, ref: false })])
    }
  } catch (error) {
    return error
  } finally {
    signal.removeEventListener('abort', stop)
    client.end().catch(() => {})
  }
}

/** Sends a notification on another connection and waits for it. @throws when it does not arrive */
async function checkNotifyRoundTrip(db: Database, tests: Map<string, () => void>): Promise<void> {
  const name = randomUUID()
  const heard = new Promise<void>(resolve => tests.set(name, resolve))
  const timeout = new AbortController()
  try {
    await sql`select pg_notify(${CHANNEL}, ${name})`.execute(db)
    const silence = sleep(TEST_TIMEOUT, 'silence', { signal: timeout.signal, ref: false })
    if ((await Promise.race([heard, silence])) === 'silence') throw new Error('Notifications do not arrive')
  } finally {
    tests.delete(name)
    timeout.abort()
  }
}
