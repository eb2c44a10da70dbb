import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../src/platform/clock.ts'
import { addEditor } from '../tests/support/editor-token.ts'
import { drawJpeg } from '../tests/support/pictures.ts'
import { clearAtExit, type Measured, pinSelf, startLandfall } from './process.ts'
import { printTable } from './table.ts'
import { type Phase, p95, visitDuring, watchChildren } from './visited.ts'

/** Photographs that staff upload at once. */
const UPLOADS = 20
/** Pixels: what the portal sends at most, and twelve megapixels. */
const PHOTOGRAPH = [2560, 1920] as const
const LARGEST = [4000, 3000] as const
/** Milliseconds without uploads, to compare with. */
const QUIET = seconds(20)
/** Times as much as without uploads. */
const MAX_FACTOR = 1.5
/** Megabytes of the process that encodes. */
const MAX_CHILD = 450
/** Milliseconds from an upload on a quiet machine to its reply. */
const MAX_UPLOAD = seconds(10)
/** Megabytes, as in the unit of systemd. */
const MEMORY_MAX = readMemoryMax()

/** What visitors and the server's memory notice of uploads. `npm run bench -- pictures` */
export async function measure(): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-bench-'))
  clearAtExit(dataDir)
  const server = await startLandfall({ DATA_DIR: dataDir })
  pinSelf(1)
  const token = await addEditor({ dataDir, databaseUrl: null })
  const [photograph, largest] = [await drawJpeg(...PHOTOGRAPH), await drawJpeg(...LARGEST)]
  const quiet = await visitDuring(server, async () => await sleep(QUIET))
  const children = watchChildren(server.pid)
  const single = await timed(() => uploadOne(server, token, photograph, 0))
  const busy = await visitDuring(server, async () => await uploadAll(server, token, largest))
  const child = children.stop()
  await server.close()
  return report({ quiet, busy, child, single })
}

async function uploadAll(server: Measured, token: string, photograph: Buffer) {
  const numbers = Array.from({ length: UPLOADS }, (_, at) => at + 1)
  await Promise.all(numbers.map(number => uploadOne(server, token, photograph, number)))
}

/** Tries again while others are being converted. What follows the end of a JPEG makes it another file. */
async function uploadOne({ url }: Measured, token: string, photograph: Buffer, number: number) {
  const body = new Uint8Array(Buffer.concat([photograph, Buffer.from([number])]))
  const headers = { Authorization: `Bearer ${token}` }
  while (true) {
    const reply = await fetch(`${url}/api/content/pictures`, { method: 'POST', headers, body })
    const text = await reply.text()
    if (reply.status === 201) return
    if (reply.status !== 503) throw new Error(`An upload was refused with ${reply.status}: ${text}`)
    await sleep(seconds(Number(reply.headers.get('retry-after') ?? 1)))
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

interface Result {
  readonly quiet: Phase
  readonly busy: Phase
  /** Megabytes. */
  readonly child: number
  /** Milliseconds. */
  readonly single: number
}

function report({ quiet, busy, child, single }: Result): boolean {
  const compared = [
    ['page p95, ms', p95(quiet, 'page'), p95(busy, 'page')],
    ['enquiry p95, ms', p95(quiet, 'enquiry'), p95(busy, 'enquiry')],
    ['server, MB at most', quiet.memory, busy.memory],
  ] as const
  const bounded = [
    ['encoder, MB at most', child, MAX_CHILD],
    ['both together, MB', busy.memory + child, MEMORY_MAX],
    [`upload of ${PHOTOGRAPH.join(' × ')}, s`, single / 1000, MAX_UPLOAD / 1000],
    ['failed visits', quiet.visits.failed + busy.visits.failed, 0],
  ] as const
  printTable([
    ['', 'without uploads', `with ${UPLOADS} uploads`, 'bound'],
    ...compared.map(([what, before, after]) => [
      what,
      format(before),
      format(after),
      format(before * MAX_FACTOR),
    ]),
    ...bounded.map(([what, measured, bound]) => [what, '', format(measured), format(bound)]),
  ])
  return (
    compared.every(([, before, after]) => after <= before * MAX_FACTOR) &&
    bounded.every(([, measured, bound]) => measured <= bound)
  )
}

const format = (value: number) => value.toFixed(value < 100 ? 1 : 0)

function readMemoryMax(): number {
  const unit = readFileSync('deploy/landfall.service', 'utf8')
  return Number(/^MemoryMax=(\d+)G$/m.exec(unit)?.[1]) * 1024
}
