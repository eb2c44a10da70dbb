import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import server from '../scripts/server.json' with { type: 'json' }

/** A server in a process of its own. */
export interface Measured {
  readonly url: string
  /** Its process id. */
  readonly pid: number
  /** Milliseconds of processor time that it has used so far, in all threads that it has now. */
  cpu(): number
  /** Megabytes that it holds in memory now. */
  memory(): number
  /** Asks it to end, so that it can write its files. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Removed after every measurement, also an interrupted one. */
const running = new Set<ChildProcess>()
const folders = new Set<string>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Removes a folder when the measurement ends, in whatever way. */
export function clearAtExit(folder: string): void {
  folders.add(folder)
}

const canPin = spawnSync('taskset', ['--version']).status === 0

/** Server and load on processors of their own, where the machine has two and can say so. */
export function startPinned(processor: number, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const node = [process.execPath, ...args]
  const [client = '', ...rest] = canPin ? ['taskset', '-c', String(processor), ...node] : node
  const child = spawn(client, rest, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Keeps this process off the server's processor. */
export function pinSelf(processor: number): void {
  if (canPin)
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(processor), String(process.pid)])
}

/** The built product, with an empty data folder and an admin. */
export async function startLandfall(env: NodeJS.ProcessEnv = {}): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-bench-'))
  clearAtExit(dataDir)
  const port = await freePort()
  const place = { PORT: String(port), DATA_DIR: dataDir, HOST: '127.0.0.1', TRUST_PROXY: '1' }
  const own = { ...place, ADMIN_EMAIL: 'admin@localhost.test', ...env }
  // As `npm start` does.
  const started = await startServer(server.args, port, { ...server.env, ...own })
  return {
    ...started,
    async close() {
      await started.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function startServer(args: readonly string[], port: number, env: NodeJS.ProcessEnv = {}) {
  const child = startPinned(0, args, env)
  const url = `http://127.0.0.1:${port}`
  child.stdout?.resume()
  await untilItAnswers(url, child)
  return {
    url,
    // taskset becomes what it starts, so the child's id is the server's.
    pid: child.pid ?? 0,
    cpu: () => processorTime(child),
    memory: () => residentMemory(child),
    stop: () => end(child, 'SIGTERM'),
    close: () => end(child, 'SIGKILL'),
  }
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

async function untilItAnswers(url: string, child: ChildProcess) {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline && child.exitCode === null) {
    const isUp = await fetch(url).then(
      response => response.ok,
      () => false,
    )
    if (isUp) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`Nothing answers at ${url}`)
}

/** To the microsecond: the sum that the system keeps of a process counts ticks of ten milliseconds. */
function processorTime({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map(thread =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)),
  )
  return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6
}

function residentMemory({ pid }: ChildProcess): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
