import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { quantile } from './hostile-visits.ts'
import { findFault } from './publications-marker.ts'

/**
 * Requests pages at a steady rate, until its input ends: `node bench/publications-load.ts 1000 URL URL`. Every request
 * has an address of its own. Prints what {@link LoadResult} describes.
 */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  /** Milliseconds from when a request was due until all of the page was there. */
  readonly p50: number
  readonly p95: number
  readonly failed: number
  /** What was wrong with the first of them. */
  readonly failures: readonly string[]
}

/** Milliseconds between two bursts; ten requests at once are what a rate of 1,000 a second takes. */
const TICK = 10

const [rate = '1000', ...urls] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const latencies: number[] = []
const failures: string[] = []
let failed = 0
let sent = 0

const start = performance.now()
const timer = setInterval(sendDue, TICK)
process.stdin.resume()
await once(process.stdin, 'end')
clearInterval(timer)
const seconds = (performance.now() - start) / 1000
while (latencies.length + failed < sent) await new Promise(resolve => setTimeout(resolve, TICK))
const result: LoadResult = {
  requests: sent,
  perSecond: sent / seconds,
  p50: quantile(latencies, 0.5),
  p95: quantile(latencies, 0.95),
  failed,
  failures,
}
process.stdout.write(JSON.stringify(result))
process.exit()

function sendDue() {
  const due = ((performance.now() - start) * Number(rate)) / 1000
  while (sent < due) request(urls[sent % urls.length] ?? '', sent++)
}

function request(url: string, number: number) {
  const began = performance.now()
  const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  const fail = (why: string) => {
    failed++
    if (failures.length < 3) failures.push(`${url}: ${why}`)
  }
  get(url, { agent, headers: { 'x-forwarded-for': address } }, response => {
    const chunks: Buffer[] = []
    response.on('data', chunk => chunks.push(chunk))
    response.once('error', error => fail(error.message))
    response.once('end', () => {
      const fault = findFault(
        new URL(url).pathname,
        response.statusCode ?? 0,
        Buffer.concat(chunks).toString(),
      )
      if (fault) return fail(fault)
      latencies.push(performance.now() - began)
    })
  }).once('error', error => fail(error.message))
}
