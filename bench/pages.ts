import { text } from 'node:stream/consumers'
import { findDocuments } from './documents.ts'
import { freePort, type Measured, startLandfall, startPinned, startServer } from './process.ts'
import { median, printTable } from './table.ts'

/** A cached page may cost this multiple of what Node itself costs. */
const MAX_CPU = 1.5
const MIN_THROUGHPUT = 0.75
/** Short rounds in turns, so that other load on the machine affects both alike. */
const ROUNDS = 9
const SECONDS = 2

interface Round {
  readonly requestsPerSecond: number
  /** Share of the time that the server was at work; well below 1, something else was the bottleneck. */
  readonly busy: number
  /** Microseconds of the server's processor time. */
  readonly cpuPerRequest: number
}

/** What the product costs compared with a bare `node:http` server that writes as many bytes. */
export async function measure(): Promise<boolean> {
  const app = await startLandfall()
  const rows = [['answer', 'server', 'requests/s', 'busy', 'CPU µs/request']]
  const verifications: boolean[] = []
  const stylesheet = await findStylesheet(app.url)
  for (const [path, encoding] of [
    ['/', 'br'],
    ['/', 'identity'],
    ...(await findDocuments(app.url)).map(document => [document, 'br'] as const),
    [stylesheet, 'br'],
  ] as const) {
    const compared = await compare(app, path, encoding)
    rows.push(...compared.rows)
    verifications.push(compared.isGood)
  }
  await app.close()
  printTable(rows)
  return verifications.every(Boolean)
}

async function compare(app: Measured, path: string, encoding: string) {
  const size = await readSize(`${app.url}${path}`, encoding)
  const port = await freePort()
  const reference = await startServer(['bench/reference.ts', String(port), String(size)], port)
  const ours: Round[] = []
  const bare: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await run(reference, '/', encoding))
    ours.push(await run(app, path, encoding))
  }
  await reference.close()
  const cpu = medianRatio(ours, bare, 'cpuPerRequest')
  const throughput = medianRatio(ours, bare, 'requestsPerSecond')
  const isGood = cpu <= MAX_CPU && throughput >= MIN_THROUGHPUT
  const verdict = `${throughput.toFixed(2)} (≥ ${MIN_THROUGHPUT})`
  return {
    isGood,
    rows: [
      describe(`${path.split('/').at(-1) || '/'} ${encoding}, ${size} bytes`, 'node:http', bare),
      describe('', 'Landfall', ours),
      ['', isGood ? 'ratio: good' : 'ratio: BAD', verdict, '', `${cpu.toFixed(2)} (≤ ${MAX_CPU})`],
    ],
  }
}

async function run(server: Measured, path: string, encoding: string): Promise<Round> {
  const before = server.cpu()
  const load = startPinned(1, ['bench/load.ts', `${server.url}${path}`, String(SECONDS), encoding])
  const { answers, milliseconds } = JSON.parse(await text(load.stdout))
  const used = server.cpu() - before
  return {
    requestsPerSecond: (answers / milliseconds) * 1000,
    busy: used / milliseconds,
    cpuPerRequest: (used / answers) * 1000,
  }
}

/** Compares rounds that ran one after the other. */
function medianRatio(ours: readonly Round[], bare: readonly Round[], figure: keyof Round): number {
  return median(ours.map((round, index) => round[figure] / (bare[index]?.[figure] ?? Number.NaN)))
}

function describe(answer: string, server: string, rounds: readonly Round[]): string[] {
  const middle = (figure: keyof Round) => median(rounds.map(round => round[figure]))
  const busy = `${(middle('busy') * 100).toFixed(0)} %`
  return [answer, server, middle('requestsPerSecond').toFixed(0), busy, middle('cpuPerRequest').toFixed(1)]
}

/** Bytes on the wire, asked twice: the first response is rendered, the second comes from the cache. */
async function readSize(url: string, encoding: string): Promise<number> {
  await fetch(url, { headers: { 'Accept-Encoding': encoding } })
  const { headers } = await fetch(url, { headers: { 'Accept-Encoding': encoding } })
  return Number(headers.get('content-length'))
}

async function findStylesheet(url: string): Promise<string> {
  const html = await (await fetch(url)).text()
  return /href="(\/assets\/[^"]+\.css)"/.exec(html)?.[1] ?? '/favicon.svg'
}
