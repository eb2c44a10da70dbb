import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_SENT_BYTES } from '../src/features/inbox/attachments/contract.ts'
import { seconds, systemClock } from '../src/platform/clock.ts'
import { openUnmigratedDatabase } from '../tests/faults/inspect-database.ts'
import { addEditor } from '../tests/support/editor-token.ts'
import { newMessages } from '../tests/support/messages.ts'
import { beginVisits, quantile, type Visits } from './hostile-visits.ts'
import { peakMemory } from './pictures-memory.ts'
import { clearAtExit, type Measured, pinSelf, startLandfall } from './process.ts'
import { printTable } from './table.ts'

/** Files that staff attach at once, each as large as one reply takes. */
const UPLOADS = 20
/** Of one person: 100 MB is what one may have in drafts. */
const PER_PERSON = 5
/** Bytes of a part, as the portal sends them. */
const PART = 256 * 1024
/** Milliseconds without uploads, to compare with. */
const QUIET = seconds(20)
/** Times as much as without uploads. */
const MAX_FACTOR = 1.5
/** Megabytes more than without uploads. */
const MAX_MEMORY = 64
/** Bytes a second of a slow line, and after how many of them it breaks. */
const SLOW_LINE = 1_000_000
const BREAKS = [5_000_000, 10_000_000]

/** What visitors and the server's memory notice of files that staff attach, and a slow line that breaks. `npm run bench -- uploads` */
export async function measure(): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-bench-'))
  clearAtExit(dataDir)
  const server = await startLandfall({ DATA_DIR: dataDir })
  pinSelf(1)
  const ids = await addMessages({ dataDir, databaseUrl: null })
  const tokens: string[] = []
  for (let count = 0; count <= UPLOADS; count += PER_PERSON)
    tokens.push(await addEditor({ dataDir, databaseUrl: null }, 'answer'))
  const target = (at: number): Target => ({
    path: `/api/messages/${ids[at]}/attachments`,
    token: tokens[Math.floor(at / PER_PERSON)] ?? '',
  })
  const quiet = await visitDuring(server, async () => await sleep(QUIET))
  const begun = performance.now()
  const busy = await visitDuring(server, async () => {
    const all = Array.from({ length: UPLOADS }, (_, at) => attach(server.url, target(at)))
    await Promise.all(all)
  })
  const took = (performance.now() - begun) / 1000
  const slow = await attachOverSlowLine(server, target(UPLOADS))
  await server.close()
  return report({ quiet, busy, took, slow })
}

interface Phase {
  readonly visits: Visits
  /** Megabytes at most. */
  readonly memory: number
}

async function visitDuring(server: Measured, work: () => Promise<unknown>): Promise<Phase> {
  const visits = beginVisits(server.url, '/')
  await work()
  return { visits: await visits.stop(), memory: peakMemory(server.pid) }
}

async function addMessages(place: { dataDir: string; databaseUrl: null }): Promise<string[]> {
  const rows = newMessages(
    systemClock(),
    Array.from({ length: UPLOADS + 1 }, () => ({})),
  )
  const db = await openUnmigratedDatabase(place)
  await db.insertInto('messages').values(rows).execute()
  await db.destroy()
  return rows.map(({ id }) => id)
}

interface Target {
  readonly path: string
  readonly token: string
}

/** Attaches a file in parts, going on after each failure where the server says. @throws when it is there in another form */
async function attach(url: string, { path, token }: Target): Promise<void> {
  const bytes = new Uint8Array(randomBytes(MAX_SENT_BYTES))
  const key = randomUUID()
  const send = async (
    method: string,
    place: string,
    headers: Record<string, string>,
    body?: Uint8Array<ArrayBuffer>,
  ) => {
    for (;;) {
      const reply = await fetch(`${url}${path}${place}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, ...headers },
        ...(body && { body }),
      }).catch(() => null)
      const isLater = !reply || reply.status === 429 || reply.status === 503
      if (!isLater) return reply
      await reply?.body?.cancel()
      await sleep(seconds(Number(reply?.headers.get('retry-after') ?? 0.2)))
    }
  }
  const begun = await send(
    'POST',
    '',
    {
      'Content-Disposition': 'attachment; filename="Passport.bin"',
      'Upload-Length': `${bytes.length}`,
      'Idempotency-Key': key,
    },
    bytes.slice(0, PART),
  )
  if (begun.status !== 201) throw new Error(`A file was refused with ${begun.status}: ${await begun.text()}`)
  const { id, received } = (await begun.json()).attachment
  for (let offset: number = received; offset < bytes.length; ) {
    const headers = { 'Upload-Offset': `${offset}` }
    const reply = await send('PATCH', `/${id}`, headers, bytes.slice(offset, offset + PART))
    const answered = await reply.json()
    offset = answered.attachment?.received ?? answered.offset ?? bytes.length
  }
  const stored = await (await send('GET', `/${id}`, {})).arrayBuffer()
  const hash = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')
  if (hash(new Uint8Array(stored)) !== hash(bytes)) throw new Error('A file is not what was sent')
}

/** @returns the seconds that it took over a line of 1 MB/s that breaks twice */
async function attachOverSlowLine(server: Measured, target: Target): Promise<number> {
  const line = await openSlowLine(new URL(server.url))
  const begun = performance.now()
  await attach(line.url, target)
  const took = (performance.now() - begun) / 1000
  if (line.breaks() !== BREAKS.length) throw new Error(`The line broke ${line.breaks()} times`)
  line.close()
  return took
}

/** A proxy that passes on what is sent at the speed of a slow line, and ends all connections at each break. */
async function openSlowLine(to: URL) {
  const sockets = new Set<Socket>()
  const breaks = [...BREAKS]
  let sent = 0
  let free = performance.now()
  const server = createServer(from => {
    const onwards = connect(Number(to.port), to.hostname)
    const pace = new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        free = Math.max(free, performance.now()) + (chunk.length / SLOW_LINE) * 1000
        await sleep(free - performance.now())
        sent += chunk.length
        const isBroken = sent >= (breaks[0] ?? Number.POSITIVE_INFINITY)
        if (!isBroken) return done(null, chunk)
        breaks.shift()
        for (const socket of sockets) socket.destroy()
      },
    })
    for (const socket of [from, onwards]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        from.destroy()
        onwards.destroy()
      })
    }
    from.pipe(pace).pipe(onwards)
    onwards.pipe(from)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    breaks: () => BREAKS.length - breaks.length,
    close: () => server.close(),
  }
}

interface Result {
  readonly quiet: Phase
  readonly busy: Phase
  /** Seconds. */
  readonly took: number
  readonly slow: number
}

function report({ quiet, busy, took, slow }: Result): boolean {
  const p95 = ({ visits }: Phase, kind: 'page' | 'enquiry') => quantile(visits[kind], 0.95)
  const rows = [
    ['page p95, ms', p95(quiet, 'page'), p95(busy, 'page'), MAX_FACTOR * p95(quiet, 'page')],
    ['enquiry p95, ms', p95(quiet, 'enquiry'), p95(busy, 'enquiry'), MAX_FACTOR * p95(quiet, 'enquiry')],
    ['server, MB at most', quiet.memory, busy.memory, quiet.memory + MAX_MEMORY],
    ['failed visits', quiet.visits.failed, busy.visits.failed, 0],
  ] as const
  printTable([
    ['', 'without uploads', `with ${UPLOADS} × 15 MB`, 'bound'],
    ...rows.map(([what, ...values]) => [what, ...values.map(value => value.toFixed(value < 100 ? 1 : 0))]),
    ['seconds for all', '', took.toFixed(1), ''],
    ['seconds at 1 MB/s, with two breaks', '', slow.toFixed(1), ''],
  ])
  return rows.every(([, , measured, bound]) => measured <= bound)
}
