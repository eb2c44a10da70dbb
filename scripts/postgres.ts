import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL of our own for as long as the tests run. */
export interface PrivatePostgres {
  readonly url: string
  /** Ends it as a power cut would; `start` recovers what was committed. */
  crash(): void
  /** Ends it properly: from then on it refuses connections. */
  shutDown(): void
  start(): void
  /** Suspends all of its processes, as a machine that is out of memory or a dead disk would. */
  hang(): void
  resume(): void
  /** Runs a script in its folder, where `data` is, as its user and with its programs. */
  runScript(script: string): void
  /** Whether it runs. It stops by itself when its disk has no room for its own log. */
  isUp(): boolean
  /** Ends it and removes its data. */
  stop(): void
}

/**
 * Starts PostgreSQL on a free port of loopback with an empty data folder, from the newest installed version.
 * @param place where its folder is made @returns null when there is none.
 */
export async function startPostgres(place = tmpdir()): Promise<PrivatePostgres | null> {
  const bin = installedVersion()
  if (!bin) return null
  const folder = mkdtempSync(join(place, 'landfall-postgres-'))
  const port = await freePort()
  const data = join(folder, 'data')
  // PostgreSQL refuses to run as root, so root hands over to the account that Debian's package made.
  if (process.getuid?.() === 0) spawnSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)
  run(bin, 'initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200`
  const control = (...args: string[]) => run(bin, 'pg_ctl', ['-D', data, '-w', ...args])
  const start = () => retry(() => control('-l', join(folder, 'log'), '-o', options, 'start'))
  const signal = (name: NodeJS.Signals) => {
    for (const id of processesOf(data)) signalIfThere(id, name)
  }
  const isUp = () => existsSync(join(data, 'postmaster.pid'))
  const stop = () => {
    process.off('exit', stop)
    try {
      if (isUp()) {
        signal('SIGCONT')
        control('-m', 'immediate', 'stop')
      }
    } catch (error) {
      // It may have given up by itself at this moment.
      if (isUp()) throw error
    }
    rmSync(folder, { recursive: true, force: true })
  }
  start()
  // Its processes go on by themselves when ours is interrupted.
  process.once('exit', stop)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    crash: () => control('-m', 'immediate', 'stop'),
    shutDown: () => control('-m', 'fast', 'stop'),
    start,
    hang: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    runScript: script => run('/bin', 'sh', ['-euc', `PATH=${bin}:$PATH; cd ${folder}; ${script}`]),
    isUp,
    stop,
  }
}

/** While a server was down, another program may have used its port for a moment. */
function retry(work: () => void, tries = 10) {
  try {
    work()
  } catch (error) {
    if (tries === 1) throw error
    spawnSync('sleep', ['1'])
    retry(work, tries - 1)
  }
}

/** The server's own process and its children. */
function processesOf(data: string): number[] {
  const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').split(' ').filter(Boolean)
  return [server, ...children.map(Number)]
}

/** A child may have ended since it was listed. */
function signalIfThere(id: number, name: NodeJS.Signals) {
  try {
    process.kill(id, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

export const hasPostgres = () => installedVersion() !== null

function installedVersion(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const bin = versions
    .map(version => join(root, version, 'bin'))
    .find(path => existsSync(join(path, 'initdb')))
  return bin ?? null
}

function run(bin: string, name: string, args: readonly string[]) {
  const command = join(bin, name)
  const isRoot = process.getuid?.() === 0
  const [client, all] = isRoot ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args]
  const { status, stderr } = spawnSync(client, all, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    cwd: '/',
  })
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}
