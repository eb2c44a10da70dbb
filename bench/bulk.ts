import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../scripts/postgres.ts'
import { addEditor } from '../tests/support/editor-token.ts'
import { type Filled, fill } from './lists-rows.ts'
import { type Measured, startLandfall } from './process.ts'
import { printTable } from './table.ts'

/** Milliseconds for which nothing blocks the event loop. */
const MAX_HELD = 50
/** Megabytes by which an export of all messages may use more than that of a tenth of them. */
const MAX_GROWTH = 32
const FULL_SIZE = 100_000
/** Messages of one action: as many as one call takes. */
const MANY = 5000
/** Messages of the reference, one call for each: a token may make 300 calls in a minute. */
const FEW = 250
/** Log entries, which other measurements need. */
const LOGS = 1000
/** Milliseconds: the probe writes what it has measured four times a second. */
const PROBE_DELAY = 300
const MEMORY_INTERVAL = 50

/**
 * 5,000 messages changed in one call, compared with a call for each; and an export of 100,000 messages, compared with the
 * list that the portal reads. On both engines. `npm run bench -- bulk 0.1` takes a tenth of the messages.
 */
export async function measure(): Promise<boolean> {
  const count = FULL_SIZE * Number(process.argv[3] ?? 1)
  const postgres = await startPostgres()
  try {
    const onSqlite = await measureOn('SQLite', null, count)
    if (postgres) return (await measureOn('PostgreSQL', postgres.url, count)) && onSqlite
    process.stdout.write('PostgreSQL is not installed here, so half of the promise was not measured.\n')
    return false
  } finally {
    postgres?.stop()
  }
}

async function measureOn(engine: string, database: string | null, count: number): Promise<boolean> {
  process.stderr.write(`${engine}: filling …\n`)
  const filled = await fill(database, { messages: count, logs: LOGS })
  const desk = await startDesk(filled)
  const rows = [
    await desk.run('reference: one call for each', async () => await changeEach(desk)),
    await desk.run('5,000 in one call', async () => await changeTogether(desk)),
    await desk.run('all ids of the list', async () => (await findIds(desk)).length),
    await desk.run('reference: the list, 100 by 100', async () => await readList(desk)),
    await desk.run('export of spam', async () => await exportAll(desk, '?status=spam')),
    await desk.run('export of all', async () => await exportAll(desk, '')),
  ]
  await desk.server.close()
  await filled.remove()
  printTable([[engine, 'messages', 'seconds', 'event loop, ms', 'memory, MB'], ...rows.map(toCells)])
  const [, together, , list, part, all] = rows
  const isWhole = together?.count === Math.min(MANY, list?.count ?? MANY) && all?.count === list?.count
  const held = Math.max(...rows.map(row => row.held))
  const growth = (all?.memory ?? Number.NaN) - (part?.memory ?? 0)
  process.stdout.write(
    `${engine}: ${isWhole ? 'none' : 'some'} lost; the event loop was held for ${held} ms at the longest (at most ${MAX_HELD}); to export all took ${growth.toFixed(0)} MB more than to export a part (at most ${MAX_GROWTH})\n\n`,
  )
  return isWhole && held <= MAX_HELD && growth <= MAX_GROWTH
}

interface Row {
  readonly name: string
  readonly count: number
  readonly seconds: number
  readonly held: number
  /** The most that it used. */
  readonly memory: number
}

function toCells({ name, count, seconds, held, memory }: Row): string[] {
  return [name, String(count), seconds.toFixed(1), held.toFixed(1), memory.toFixed(0)]
}

interface Desk {
  readonly server: Measured
  readonly cookie: string
  readonly token: string
  /** Measures work that returns the number of its messages. */
  run(name: string, work: () => Promise<number>): Promise<Row>
}

async function startDesk(filled: Filled): Promise<Desk> {
  const heldFile = join(String(filled.env.DATA_DIR), 'held')
  const probe = pathToFileURL('bench/held-probe.ts').href
  const server = await startLandfall({
    ...filled.env,
    HELD_FILE: heldFile,
    NODE_OPTIONS: `--import ${probe}`,
  })
  const where = { dataDir: String(filled.env.DATA_DIR), databaseUrl: filled.env.DATABASE_URL ?? null }
  const token = await addEditor(where, 'answer')

  async function run(name: string, work: () => Promise<number>): Promise<Row> {
    await pause(PROBE_DELAY)
    const before = readHeld(heldFile).length
    let memory = server.memory()
    const watch = setInterval(() => {
      memory = Math.max(memory, server.memory())
    }, MEMORY_INTERVAL)
    const start = performance.now()
    const count = await work()
    const seconds = (performance.now() - start) / 1000
    clearInterval(watch)
    await pause(PROBE_DELAY)
    return { name, count, seconds, held: Math.max(...readHeld(heldFile).slice(before)), memory }
  }

  return { server, cookie: filled.cookie, token, run }
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

function readHeld(file: string): number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}

async function write({ server, token }: Desk, method: string, path: string, body: object) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const reply = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
  return await reply.json()
}

async function read({ server, cookie }: Desk, path: string): Promise<Response> {
  const reply = await fetch(server.url + path, { headers: { cookie } })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
  return reply
}

/** @returns ids, newest first */
async function findIds(desk: Desk): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page = await read(desk, `/api/messages/ids${cursor ? `?cursor=${cursor}` : ''}`)
    const { found, nextCursor }: { found: { id: string }[]; nextCursor: string | null } = await page.json()
    ids.push(...found.map(({ id }) => id))
    cursor = nextCursor
  } while (cursor)
  return ids
}

async function changeEach(desk: Desk): Promise<number> {
  const ids = (await findIds(desk)).slice(-FEW)
  for (const id of ids) await write(desk, 'PATCH', `/api/messages/${id}`, { addTags: ['each'] })
  return ids.length
}

async function changeTogether(desk: Desk): Promise<number> {
  const ids = (await findIds(desk)).slice(0, MANY)
  const change = { status: 'closed', addTags: ['together'] }
  const { changed } = await write(desk, 'POST', '/api/messages/bulk', { ids, change })
  return changed.length
}

async function readList(desk: Desk): Promise<number> {
  let count = 0
  let cursor: string | null = null
  do {
    const page = await read(desk, `/api/messages${cursor ? `?cursor=${cursor}` : ''}`)
    const { messages, nextCursor }: { messages: unknown[]; nextCursor: string | null } = await page.json()
    count += messages.length
    cursor = nextCursor
  } while (cursor)
  return count
}

/** Every line ends with CR LF, and no cell has that. */
async function exportAll(desk: Desk, query: string): Promise<number> {
  const { body } = await read(desk, `/api/messages/export${query}`)
  let lines = 0
  let last = ''
  for await (const chunk of body ?? []) {
    const text = last + Buffer.from(chunk).toString('latin1')
    lines += text.split('\r\n').length - 1
    last = text.endsWith('\r') ? '\r' : ''
  }
  return lines - 1
}
