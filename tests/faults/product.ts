import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/process.ts'
import { FAULT_TIMEOUT, waitUntil } from './fault.ts'
import { onExit } from './on-exit.ts'

export const ADMIN_PASSWORD = 'Correct-Horse-7-Staple!'
export const SECRET_KEY = 'a secret of thirty-two characters, or more'

/** The built product as a process that can be killed and started again. */
export interface Product {
  readonly url: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** Starts a process and waits until it is ready, unless `mayFail` is set. */
  start(options?: { mayFail: boolean }): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Sends SIGTERM. @returns its exit code and how long it took in milliseconds. */
  stop(): Promise<{ code: number | null; milliseconds: number }>
  /** The process id; null while there is no process. */
  id(): number | null
  /** Bytes of memory. */
  memory(): Promise<number>
  console(): string
  close(): Promise<void>
}

export interface ProductOptions {
  readonly databaseUrl: string | null
  readonly smtpUrl: string
  readonly dataDir?: string
  /** Further variables, as they are when it starts. */
  readonly env?: Readonly<Record<string, string>>
}

export async function installProduct({
  databaseUrl,
  smtpUrl,
  dataDir: ownDataDir,
  env: further = {},
}: ProductOptions): Promise<Product> {
  const dataDir = ownDataDir ?? (await mkdtemp(join(tmpdir(), 'landfall-faults-')))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let output = ''
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    ADMIN_PASSWORD,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'desk@agency.test',
    TRUST_PROXY: '1',
    ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY }),
  }

  const isReady = async () =>
    await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )

  function end(signal: NodeJS.Signals): Promise<number | null> {
    const dying = child
    child = null
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return Promise.resolve(null)
    const gone = new Promise<number | null>(resolve => dying.once('exit', resolve))
    dying.kill(signal)
    return gone
  }

  const leave = onExit(() => {
    child?.kill('SIGKILL')
    if (!ownDataDir) rmSync(dataDir, { recursive: true, force: true })
  })

  const product: Product = {
    url,
    dataDir,
    databaseUrl,
    async start({ mayFail } = { mayFail: false }) {
      // In its own process group, or Ctrl+C would end it too.
      const started = spawn(process.execPath, ['build/server/main.js'], {
        env: { ...env, ...further },
        detached: true,
      })
      child = started
      for (const stream of [started.stdout, started.stderr]) {
        stream.on('data', chunk => {
          output = `${output}${chunk}`.slice(-20_000)
        })
      }
      if (mayFail) return
      if (!(await waitUntil(async () => started.exitCode !== null || (await isReady()), FAULT_TIMEOUT)))
        throw new Error(`The product did not become ready: ${output.slice(-500)}`)
      if (started.exitCode !== null) throw new Error(`The product did not start: ${output.slice(-500)}`)
    },
    kill: async () => void (await end('SIGKILL')),
    async stop() {
      const begin = performance.now()
      const code = await end('SIGTERM')
      return { code, milliseconds: performance.now() - begin }
    },
    id: () => child?.pid ?? null,
    async memory() {
      const status = await readFile(`/proc/${product.id()}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024
    },
    console: () => output,
    async close() {
      await product.kill()
      leave()
    },
  }
  return product
}
