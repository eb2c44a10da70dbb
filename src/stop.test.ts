import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { createTestDatabase, dropTestDatabase } from '../tests/support/database.ts'
import { readStream } from '../tests/support/event-stream.ts'
import { until } from '../tests/support/until.ts'
import { createSession } from './auth/session.ts'
import { seconds, systemClock } from './clock.ts'
import { openDatabase } from './database/open.ts'

suite('Server process', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-stop-'))
  const databaseUrl = await createTestDatabase()
  const port = await freePort()
  const child = spawn(process.execPath, ['build/server/main.js'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY: 'thirty-two characters, or a few more' }),
    },
  })
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const sockets: Socket[] = []
  after(async () => {
    child.kill('SIGKILL')
    for (const socket of sockets) socket.destroy()
    await rm(dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  })
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok ?? false
  await until(isReady)

  function open(text: string): Socket {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    socket.write(text)
    return socket
  }

  /** The cookie of the first admin. */
  async function signedIn() {
    const db = await openDatabase({ dataDir, databaseUrl })
    const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const token = await createSession(db, systemClock, id, 'test')
    await db.destroy()
    return { cookie: `session=${token}` }
  }

  /** Until the clients hold as many answers as the system keeps for them. */
  async function untilNothingIsTaken() {
    let [before, replied] = [-1, 0]
    while (replied === 0 || replied > before) {
      before = replied
      await new Promise(resolve => setTimeout(resolve, 300))
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      replied = Number(/route="pages and files",status="200"\} (\d+)/.exec(metrics)?.[1] ?? 0)
    }
    assert.ok(replied < 50 * 32, 'some wait')
  }

  test('the server stops within seconds while clients do not read, ends event streams at once, and finishes requests in flight (N4)', async () => {
    const largest = await largestFile()
    const asked = `GET ${largest} HTTP/1.1\r\nHost: agency.test\r\n\r\n`.repeat(32)
    for (let count = 0; count < 50; count++) open(asked).pause()
    const body = 'name='
    const head = `POST /contact HTTP/1.1\r\nHost: agency.test\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`
    const working = open(head)
    let answer = ''
    working.on('data', chunk => {
      answer += String(chunk)
    })
    await until(() => answer.includes('100 Continue'))
    await untilNothingIsTaken()
    const events = readStream(
      await fetch(`http://127.0.0.1:${port}/api/events`, { headers: await signedIn() }),
    )
    await until(() => events.text.includes('retry:'))
    const start = performance.now()
    child.kill('SIGTERM')
    await until(() => events.isEnded)
    assert.ok(performance.now() - start < seconds(0.8), 'the event stream has ended')
    setTimeout(() => working.write(body), seconds(1))
    assert.equal(await exited, 0)
    const took = performance.now() - start
    assert.ok(took > seconds(1) && took < seconds(5), `${took} ms`)
    assert.match(answer, /^HTTP\/1\.1 400 /m)
    assert.equal(existsSync(join(dataDir, 'landfall.sqlite-wal')), false, 'the database was closed')
  })
})

/** Larger than a page, so that what is asked for is more than the system holds for a reader. */
async function largestFile(): Promise<string> {
  const names = await readdir('build/browser/assets')
  return `/assets/${names.find(name => name.startsWith('react')) ?? names[0]}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
