import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../src/platform/clock.ts'
import { startLandfall } from './process.ts'
import { printTable } from './table.ts'

const CONNECTIONS = 1000
/** Milliseconds that a visitor may notice. */
const MOST = 200
const PATHS = ['/', '/contact', '/api/public/recaptcha']
/** Headers that never end, bodies that never end, and a reader who takes nothing. */
const attacks: readonly [string, readonly string[]][] = [
  ['slow headers', ['-H', '-i', '2']],
  ['slow bodies', ['-B', '-i', '2', '-s', '8192']],
  ['slow readers', ['-X', '-k', '3', '-n', '5']],
]

/** How long pages take while a thousand clients read or write slowly. Needs `slowhttptest` (Debian has it). */
export async function measure(): Promise<boolean> {
  const app = await startLandfall()
  try {
    const rows = [['', 'pages', 'p50, ms', 'p95, ms', 'failed']]
    const verifications: boolean[] = []
    rows.push(row('nobody else', await visit(app.url, seconds(3))))
    for (const [name, flags] of attacks) {
      const attack = startSlowClients(app.url, flags)
      // Until all of them are connected.
      await sleep(seconds(4))
      const visits = await visit(app.url, seconds(12))
      attack.kill()
      rows.push(row(name, visits))
      verifications.push(visits.failed === 0 && quantile(visits.times, 0.95) < MOST)
    }
    printTable(rows)
    return verifications.every(Boolean)
  } finally {
    await app.close()
  }
}

function startSlowClients(url: string, flags: readonly string[]) {
  const size = ['-c', String(CONNECTIONS), '-r', '500', '-l', '20', '-p', '3', '-u', `${url}/contact`]
  const child = spawn('slowhttptest', [...flags, ...size], { stdio: 'ignore' })
  child.on('error', error => {
    throw new Error(`slowhttptest is needed for this: ${error.message}`)
  })
  return child
}

interface Visits {
  readonly times: readonly number[]
  readonly failed: number
}

/** One visitor after another, each on a connection of their own. */
async function visit(url: string, duration: number): Promise<Visits> {
  const times: number[] = []
  let failed = 0
  const end = performance.now() + duration
  for (let turn = 0; performance.now() < end; turn++) {
    const start = performance.now()
    const isGood = await fetch(`${url}${PATHS[turn % PATHS.length]}`, {
      headers: { connection: 'close' },
    }).then(
      async response => (await response.arrayBuffer()).byteLength > 0 && response.ok,
      () => false,
    )
    times.push(performance.now() - start)
    if (!isGood) failed++
    await sleep(10)
  }
  return { times, failed }
}

function row(name: string, { times, failed }: Visits): string[] {
  const [middle, high] = [quantile(times, 0.5), quantile(times, 0.95)]
  return [name, String(times.length), middle.toFixed(1), high.toFixed(1), String(failed)]
}

function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}
