// In a process of its own: it measures memory, and turns on the garbage collector of its process.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { after, suite, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { atLength } from '../../../tests/support/at-length.ts'
import { createTestDatabase, dropTestDatabase } from '../../../tests/support/database.ts'
import { ONE_A_MINUTE, refused, THREE_A_MINUTE } from '../../../tests/support/limits.ts'
import { days, minutes } from '../../platform/clock.ts'
import { createCounters, createMemoryRateLimiter } from './rate-limiter.ts'

const KEYS = 40_000
/** Of 15 KB each: as many as fill 150 MB if they are kept, or in CI 38 MB. */
const REQUESTS = atLength(2500, 10_000)
/** Characters; all the headers of a request may have 16 KiB. */
const LENGTH = 15_000
/** Bytes. */
const MEGABYTE = 1024 * 1024

suite('Forged proxy headers', () => {
  test('a client fills no memory with forged proxy headers, and is refused like anyone else (H3)', async () => {
    const databaseUrl = await createTestDatabase()
    const server = fork('tests/support/api-process.ts', {
      execArgv: ['--expose-gc'],
      env: { ...process.env, ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY: 'x'.repeat(32) }) },
    })
    after(async () => {
      server.disconnect()
      await once(server, 'exit')
      if (databaseUrl) await dropTestDatabase(databaseUrl)
    })
    const [{ port }] = await once(server, 'message')
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    after(() => agent.destroy())
    await sendForged(agent, port, 500, 'early')
    const before = await readMemory(server)
    const statuses = await sendForged(agent, port, REQUESTS, 'late')
    const grown = (await readMemory(server)) - before
    assert.ok(grown < 8 * MEGABYTE, `${Math.round(grown / MEGABYTE)} MB`)
    assert.deepEqual(statuses, [[429, REQUESTS]], 'all are one peer')
  })
})

suite('The limits in memory', () => {
  test('rate limits in memory take the same room whatever they count against (H3)', async () => {
    const limits = createMemoryRateLimiter(() => new Date())
    const limit = { name: 'three', count: 3, per: 60_000 }
    const before = memoryInUse()
    for (let at = 0; at < KEYS; at++) await limits.consume(limit, `${at}`.padEnd(LENGTH, 'x'))
    const grown = memoryInUse() - before
    assert.ok(grown < 20 * MEGABYTE, `${Math.round(grown / MEGABYTE)} MB`)
    await assert.rejects(async () => {
      for (let count = 0; count < 4; count++) await limits.consume(limit, '0'.padEnd(LENGTH, 'x'))
    })
  })
})

suite('Memory of rate limits', () => {
  test('the limits in memory keep refusing a client, however many others come (N3)', async () => {
    const limits = createMemoryRateLimiter(() => new Date('2026-07-01T00:00:00Z'))
    const spend = async (key: string) => await limits.consume(THREE_A_MINUTE, key)
    for (let count = 0; count < 3; count++) await spend('the first')
    await spend('the second')
    for (let count = 0; count < 101_000; count++) await spend(`address ${count}`)
    await assert.rejects(spend('the first'), refused)
    assert.throws(() => limits.check(THREE_A_MINUTE, 'the first'), refused)
    for (let count = 0; count < 3; count++) await spend('the second')
  })

  test('the limits in memory refuse rather too many than too few when their memory is full (N3)', () => {
    let now = Date.parse('2026-07-01T00:00:00Z')
    const counters = createCounters(() => new Date(now), 500)
    const take = (key: string) => {
      const bucket = { limit: THREE_A_MINUTE, key: key }
      const isLeft = (counters.find(bucket)?.used ?? 0) < THREE_A_MINUTE.count
      if (isLeft) counters.add(bucket, 1)
      return isLeft
    }
    for (let at = 0; at < 500; at++) for (let count = 0; count < 3; count++) take(`early ${at}`)
    // A million strangers share 1024 counters of three.
    let taken = 0
    for (let at = 0; at < 50_000; at++) if (take(`late ${at}`)) taken++
    assert.ok(taken > 2500 && taken <= 3 * 1024, String(taken))
    for (let at = 0; at < 500; at++) assert.equal(take(`early ${at}`), false)
    now += minutes(1)
    for (let count = 0; count < 3; count++) assert.equal(take('late 1'), true)
    assert.equal(take('late 1'), false)
  })

  test('the limits in memory have room again as soon as windows have ended, and after the clock was set back (N3)', () => {
    let now = Date.parse('2026-07-01T00:00:00Z')
    const counters = createCounters(() => new Date(now), 100)
    const exhaust = (from: string) => {
      for (let at = 0; at < 100; at++) counters.add({ limit: ONE_A_MINUTE, key: `${from} ${at}` }, 1)
    }
    for (const [round, step] of [minutes(1), -days(1), days(2)].entries()) {
      exhaust(`round ${round}`)
      now += step
    }
    counters.add({ limit: THREE_A_MINUTE, key: 'somebody' }, 1)
    assert.equal(counters.find({ limit: THREE_A_MINUTE, key: 'somebody' })?.used, 1)
    assert.equal(counters.find({ limit: THREE_A_MINUTE, key: 'somebody else' }), undefined)
  })
})

/** A call that counts against the client address. @returns how often each status came */
async function sendForged(agent: Agent, port: number, count: number, name: string) {
  const statuses = new Map<number, number>()
  let sent = 0
  const send = async () => {
    while (sent < count) {
      const forged = `${name}${++sent}`.padEnd(LENGTH, 'x')
      const status = await ask(agent, port, forged)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 16 }, send))
  return [...statuses]
}

async function ask(agent: Agent, port: number, forwardedFor: string): Promise<number> {
  const path = `/api/auth/verify-email?token=${'0'.repeat(43)}`
  const request = get({ agent, port, path, headers: { 'x-forwarded-for': forwardedFor } })
  const [response] = await once(request, 'response')
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

async function readMemory(server: ChildProcess): Promise<number> {
  server.send('memory')
  const [{ bytes }] = await once(server, 'message')
  return bytes
}
