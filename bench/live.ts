import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres.ts'
import { createSession } from '../src/auth/session.ts'
import { newId } from '../src/database/id.ts'
import { openDatabase } from '../src/database/open.ts'
import { seconds, systemClock } from '../src/platform/clock.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { type Measured, startLandfall } from './process.ts'
import { newFolder } from './publications-nodes.ts'
import { printTable } from './table.ts'

/** Milliseconds from the post of an enquiry to the event about it. */
const MAX_P95 = 1000
const ENQUIRIES = 60
const ENQUIRY = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 2 5550 0100',
  message: 'Can my sister join?',
}
const STREAMS = 500
/** Megabytes that they may cost together. */
const MAX_MEMORY = 60
/** Per cent of a processor, with an enquiry every five seconds. */
const MAX_CPU = 5
/** Two checks of each stream and some more. */
const WATCHED = seconds(45)
const ENQUIRY_EVERY = seconds(5)

/** Where nodes keep their data. */
interface Place {
  readonly dataDir: string
  readonly databaseUrl: string | null
}

/** Measures how soon staff see an enquiry, and what their event streams cost: `npm run bench -- live`. */
export async function measure(): Promise<boolean> {
  const onSqlite = await measureSqlite()
  const onPostgres = await measurePostgres()
  return onSqlite && onPostgres
}

async function measureSqlite(): Promise<boolean> {
  const place = { dataDir: await newFolder(), databaseUrl: null }
  const node = await startLandfall({ DATA_DIR: place.dataDir })
  const isSoon = await measureDelay('SQLite', [node], place)
  const isCheap = await measureStreams(node, place)
  await node.close()
  return isSoon && isCheap
}

async function measurePostgres(): Promise<boolean> {
  const postgres = await startPostgres()
  const databaseUrl = postgres && (await createTestDatabase(postgres.url))
  if (!postgres || !databaseUrl) {
    process.stdout.write('PostgreSQL is not installed here, so it was not measured.\n')
    return true
  }
  process.once('exit', postgres.stop)
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY: 'a secret of thirty-two characters, or more' }
  const nodes = [await startLandfall(env), await startLandfall(env)]
  const isSoon = await measureDelay('PostgreSQL', nodes, { dataDir: '', databaseUrl })
  for (const node of nodes) await node.close()
  return isSoon
}

async function measureDelay(engine: string, nodes: readonly Measured[], place: Place): Promise<boolean> {
  const [cookie = ''] = await signIn(place, 1)
  const heard = nodes.map((): number[] => [])
  const streams: IncomingMessage[] = []
  for (const [at, node] of nodes.entries())
    streams.push(await openStream(node, cookie, () => heard[at]?.push(performance.now())))
  const delays = nodes.map((): number[] => [])
  for (let count = 0; count < ENQUIRIES; count++) {
    for (const times of heard) times.length = 0
    const start = performance.now()
    await sendEnquiry(nodes[count % nodes.length], count)
    while (heard.some(times => times.length === 0) && performance.now() - start < 5 * MAX_P95) await sleep(1)
    for (const [at, times] of heard.entries())
      delays[at]?.push((times[0] ?? Number.POSITIVE_INFINITY) - start)
    // Not in step with the poll.
    await sleep(Math.random() * 500)
  }
  for (const stream of streams) stream.destroy()
  const p95 = delays.map(
    each => each.toSorted((a, b) => a - b)[Math.ceil(0.95 * each.length) - 1] ?? Number.NaN,
  )
  printTable([
    ['time to the event', 'p95 in ms', 'at most'],
    ...p95.map((it, at) => [`${engine}, node ${at + 1}`, it.toFixed(0), String(MAX_P95)]),
  ])
  return p95.every(it => it <= MAX_P95)
}

async function measureStreams(node: Measured, place: Place): Promise<boolean> {
  await sleep(seconds(10))
  const before = node.memory()
  let events = 0
  for (const cookie of await signIn(place, STREAMS)) await openStream(node, cookie, () => events++)
  await sleep(seconds(5))
  const [start, cpu, heardBefore] = [performance.now(), node.cpu(), events]
  let sent = 0
  while (performance.now() - start < WATCHED) {
    await sendEnquiry(node, ENQUIRIES + sent++)
    await sleep(ENQUIRY_EVERY)
  }
  const memory = node.memory() - before
  const share = (100 * (node.cpu() - cpu)) / (performance.now() - start)
  const heard = events - heardBefore
  printTable([
    [`${STREAMS} streams`, '', 'at most'],
    ['memory in MB', memory.toFixed(0), String(MAX_MEMORY)],
    ['per cent of a processor', share.toFixed(1), String(MAX_CPU)],
    ['events', String(heard), `${sent * STREAMS} at least`],
  ])
  return memory <= MAX_MEMORY && share <= MAX_CPU && heard >= sent * STREAMS
}

/** @returns the cookies of so many admins, who are inserted while the server runs: each may have only some streams */
async function signIn(place: Place, count: number): Promise<string[]> {
  const db = await openDatabase(place)
  const admin = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  const cookies: string[] = []
  for (let at = 0; at < count; at++) {
    const id = newId(systemClock())
    const other = { ...admin, id, email: `${id}@agency.test`, is_default: 0 as const }
    await db.insertInto('users').values(other).execute()
    cookies.push(`session=${await createSession(db, systemClock, id, 'bench')}`)
  }
  await db.destroy()
  return cookies
}

/** Calls `onEvent` for each new enquiry. */
async function openStream({ url }: Measured, cookie: string, onEvent: () => void): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/api/events`, { headers: { cookie }, agent: false }, resolve).on('error', reject)
  })
  if (response.statusCode !== 200) throw new Error(`The event stream replied ${response.statusCode}`)
  response.setEncoding('utf8').on('error', () => {})
  response.on('data', text => {
    for (const _ of String(text).matchAll(/"kind":"new"/g)) onEvent()
  })
  return response
}

/** From an address of its own, because of the limits. */
async function sendEnquiry(node: Measured | undefined, count: number) {
  const reply = await fetch(`${node?.url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${count >> 8}.${count & 255}` },
    body: JSON.stringify(ENQUIRY),
  })
  if (reply.status !== 201) throw new Error(`The enquiry got ${reply.status}`)
}
