import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { createTestDatabase, dropTestDatabase } from '../tests/support/database.ts'
import { readStream } from '../tests/support/event-stream.ts'
import { stopwatch } from '../tests/support/processor-time.ts'
import { until } from '../tests/support/until.ts'
import { createSession } from './auth/session.ts'
import { openDatabase } from './database/open.ts'
import { seconds, systemClock } from './platform/clock.ts'

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
      ADMIN_EMAIL: 'admin@agency.test',
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
    child.kill('SIGTERM')
    // The request in flight goes on only then: a stream that waited for it would not end.
    await until(() => events.isEnded)
    await new Promise(resolve => setTimeout(resolve, seconds(1)))
    const watch = stopwatch()
    working.write(body)
    assert.equal(await exited, 0)
    const time = watch.passedAtRest()
    assert.ok(time < seconds(4), `${time} ms`)
    assert.match(answer, /^HTTP\/1\.1 400 /m)
    assert.equal(existsSync(join(dataDir, 'landfall.sqlite-wal')), false, 'the database was closed')
  })
})

suite('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-start-'))
  const started = new Set<number>()
  after(() => {
    for (const pid of started) kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  /** The product as `npm start` runs it, and the processes from npm to the server. */
  async function start(name: string) {
    const port = await freePort()
    const npm = spawn('npm', ['start', '--silent'], {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: join(folder, name) },
    })
    const isUp = async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok ?? false
    started.add(npm.pid ?? 0)
    // Checking the packages and the build takes long on a busy machine.
    for (let tries = 0; tries < 3 && !(await isUp()); tries++) await until(isUp).catch(() => {})
    const processes = descendantsOf(npm.pid ?? 0)
    for (const pid of processes) started.add(pid)
    assert.ok(await isUp())
    return { processes, isUp }
  }

  for (const [name, signal, place] of [
    ['npm is asked to end', 'SIGTERM', 0],
    ['npm is killed', 'SIGKILL', 0],
    ['the process that built it is killed', 'SIGKILL', -2],
  ] as const)
    test(`the server ends and frees its port when ${name} (found I15)`, async () => {
      const { processes, isUp } = await start(`${signal}${place}`)
      kill(processes.at(place) ?? 0, signal)
      await until(async () => !(await isUp()))
      await until(() => processes.every(pid => !existsSync(`/proc/${pid}`) || isZombie(pid)))
    })

  test('no server starts when the signal arrives during the set-up (found I15)', async () => {
    const root = join(folder, 'copy')
    cpSync('scripts', join(root, 'scripts'), { recursive: true })
    const [entered, ran] = [join(root, 'entered'), join(root, 'ran')]
    writeFileSync(
      join(root, 'scripts', 'set-up.mjs'),
      `process.on('SIGTERM', () => process.exit(0)); fs.writeFileSync(${JSON.stringify(entered)}, ''); setInterval(() => {}, 1000)`.replace(
        'fs.',
        "(await import('node:fs')).",
      ),
    )
    mkdirSync(join(root, 'build', 'server'), { recursive: true })
    writeFileSync(
      join(root, 'build', 'server', 'main.js'),
      `require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`,
    )
    const child = spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), 'start'], {
      cwd: root,
      stdio: 'ignore',
    })
    const exited = new Promise(resolve => child.once('exit', resolve))
    await until(() => existsSync(entered))
    child.kill('SIGTERM')
    assert.equal(await exited, 143)
    assert.equal(existsSync(ran), false)
  })
})

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** A process and what it started, the eldest first. */
function descendantsOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
  return [pid, ...children.flatMap(descendantsOf)]
}

const isZombie = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')

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
