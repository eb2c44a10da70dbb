import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
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
import { clearAtExit, type Measured, pinSelf, startLandfall } from './process.ts'
import { printTable } from './table.ts'
import { type Phase, p95, visitDuring } from './visited.ts'

/** Files that staff attach at once, each as large as one reply takes. */
const UPLOADS = 20
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
  const targets: Target[] = []
  // Each has a person of its own: one token makes 300 calls a minute.
  for (const id of await addMessages({ dataDir, databaseUrl: null })) {
    const token = await addEditor({ dataDir, databaseUrl: null }, 'answer')
    const bytes = new Uint8Array(randomBytes(MAX_SENT_BYTES))
    targets.push({ path: `/api/messages/${id}/attachments`, token, bytes })
  }
  const [last = assert.fail(), ...others] = targets
  const quiet = await visitDuring(server, async () => await sleep(QUIET))
  const single = await timed(() => attach(server.url, last))
  let took = 0
  const busy = await visitDuring(server, async () => {
    took = await timed(() => Promise.all(others.map(target => attach(server.url, target))))
  })
  const slow = await attachOverSlowLine(server, last)
  for (const target of targets) await assertStored(server, target)
  await server.close()
  return report({ quiet, busy, single, took, slow })
}

/** @returns seconds */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
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
  /** What is attached: other bytes for each, because the same ones are stored once. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Attaches a file in parts, going on after each failure where the server says. */
async function attach(url: string, { path, token, bytes }: Target): Promise<void> {
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
    bytes.subarray(0, PART),
  )
  if (begun.status !== 201) throw new Error(`A file was refused with ${begun.status}: ${await begun.text()}`)
  const { id, received } = (await begun.json()).attachment
  for (let offset: number = received; offset < bytes.length; ) {
    const headers = { 'Upload-Offset': `${offset}` }
    const reply = await send('PATCH', `/${id}`, headers, bytes.subarray(offset, offset + PART))
    const answered = await reply.json()
    offset = answered.attachment?.received ?? answered.offset ?? bytes.length
  }
}

/** Every file of the message. */
async function assertStored({ url }: Measured, { path, token, bytes }: Target) {
  const headers = { Authorization: `Bearer ${token}` }
  const opened = await fetch(`${url}${path.replace(/\/attachments$/, '')}`, { headers })
  const { draftFiles } = await opened.json()
  for (const { id } of draftFiles) {
    const stored = await fetch(`${url}${path}/${id}`, { headers })
    assert.deepEqual(Buffer.from(await stored.arrayBuffer()), Buffer.from(bytes))
  }
  assert.ok(draftFiles.length > 0)
}

/** @returns the seconds that it took over a line of 1 MB/s that breaks twice */
async function attachOverSlowLine(server: Measured, target: Target): Promise<number> {
  const line = await openSlowLine(new URL(server.url))
  // A reply takes 15 MB, and it has a file already.
  await removeFiles(server, target)
  const took = await timed(() => attach(line.url, target))
  assert.equal(line.breaks(), BREAKS.length)
  line.close()
  return took
}

async function removeFiles({ url }: Measured, { path, token }: Target) {
  const headers = { Authorization: `Bearer ${token}` }
  const opened = await fetch(`${url}${path.replace(/\/attachments$/, '')}`, { headers })
  const { draftFiles } = await opened.json()
  for (const { id } of draftFiles) await fetch(`${url}${path}/${id}`, { method: 'DELETE', headers })
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
  readonly single: number
  readonly took: number
  readonly slow: number
}

function report({ quiet, busy, single, took, slow }: Result): boolean {
  const rows = [
    ['page p95, ms', p95(quiet, 'page'), p95(busy, 'page'), MAX_FACTOR * p95(quiet, 'page')],
    ['enquiry p95, ms', p95(quiet, 'enquiry'), p95(busy, 'enquiry'), MAX_FACTOR * p95(quiet, 'enquiry')],
    ['server, MB at most', quiet.memory, busy.memory, quiet.memory + MAX_MEMORY],
    ['failed visits', quiet.visits.failed, busy.visits.failed, 0],
  ] as const
  printTable([
    ['', 'without uploads', `with ${UPLOADS} × 15 MB`, 'bound'],
    ...rows.map(([what, ...values]) => [what, ...values.map(value => value.toFixed(value < 100 ? 1 : 0))]),
    ['seconds for one alone', '', single.toFixed(1), ''],
    ['seconds for all', '', took.toFixed(1), ''],
    ['seconds at 1 MB/s, with two breaks', '', slow.toFixed(1), ''],
  ])
  return rows.every(([, , measured, bound]) => measured <= bound)
}
