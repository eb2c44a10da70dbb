import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/process.ts'
import { atTheEnd } from './at-the-end.ts'
import { FAULT_TIMEOUT, happens } from './fault.ts'

export const SECRET_KEY = 'a secret of thirty-two characters, or more'

/** The built product as a process that can be killed and started again. */
export interface Product {
  readonly url: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** Begins a process, and waits until it can serve unless told not to. */
  start(options?: { mayFail: boolean }): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Asks it to end. @returns its exit code and how long it took in milliseconds. */
  stop(): Promise<{ code: number | null; milliseconds: number }>
  /** Of its process; null while there is none. */
  id(): number | null
  /** Bytes of memory. */
  memory(): Promise<number>
  console(): string
  close(): Promise<void>
}

export interface Installed {
  readonly databaseUrl: string | null
  readonly smtpUrl: string
  readonly dataDir?: string
}

export async function installProduct({ databaseUrl, smtpUrl, dataDir: given }: Installed): Promise<Product> {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'landfall-prove-')))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let output = ''
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: 'Correct-Horse-7-Staple!',
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

  const leave = atTheEnd(() => {
    child?.kill('SIGKILL')
    if (!given) rmSync(dataDir, { recursive: true, force: true })
  })

  const product: Product = {
    url,
    dataDir,
    databaseUrl,
    async start({ mayFail } = { mayFail: false }) {
      // In a group of its own, or Ctrl+C would end it as well.
      const started = spawn(process.execPath, ['build/server/main.js'], { env, detached: true })
      child = started
      for (const stream of [started.stdout, started.stderr]) {
        stream.on('data', chunk => {
          output = `${output}${chunk}`.slice(-20_000)
        })
      }
      if (mayFail) return
      if (!(await happens(async () => started.exitCode !== null || (await isReady()), FAULT_TIMEOUT)))
        throw new Error(`The product does not become ready: ${output.slice(-500)}`)
      if (started.exitCode !== null) throw new Error(`The product does not start: ${output.slice(-500)}`)
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
