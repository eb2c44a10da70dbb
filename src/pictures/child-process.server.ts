import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import { seconds } from '../clock.ts'

/** Milliseconds. A large photograph takes a fifth of it on a slow machine, and a hostile file may take for ever. */
const ENCODING_TIMEOUT = seconds(30)
/** Milliseconds in which a large picture gets only the time that nobody else wants. A quiet machine needs a fifth of it. */
const IDLE_TIME = seconds(15)
/** Niceness, of -20 to 19. Visitors come first, but it must end in time on a busy machine too. */
const PRIORITY = 12
/** Of util-linux. Without it, the niceness above is all. */
const CHRT = '/usr/bin/chrt'
/** Bytes. A smaller picture is encoded within a second or two, so it need not wait for visitors. */
const LARGE = 512 * 1024
/** Bytes. All sizes of a picture are a tenth of it. */
const MAX_OUTPUT = 8 * 1024 * 1024
/** Megabytes of JavaScript objects. Pixels lie outside of them, and their number is limited. */
const MAX_HEAP = 64
/** Characters of what the process says when it fails. */
const MAX_COMPLAINT = 1000

/** Beside this file in the sources, and in the built server. */
const SCRIPT = join(import.meta.dirname, `encode-picture${extname(import.meta.filename)}`)
const ROOT = join(import.meta.dirname, '../..')

/**
 * The process gets no environment, so no secret; it may read its own code and nothing else, write nothing, and start neither
 * processes nor threads nor native code.
 */
export const CHILD_OPTIONS = [
  '--permission',
  ...[import.meta.dirname, join(ROOT, 'node_modules/@jsquash'), join(ROOT, 'package.json')].map(
    path => `--allow-fs-read=${path}`,
  ),
  // Or it would look where a link among the folders of its packages leads.
  '--preserve-symlinks',
  `--max-old-space-size=${MAX_HEAP}`,
  '--expose-gc',
  '--disallow-code-generation-from-strings',
]

/** The process has ended without a result. */
export class ChildFailed extends Error {
  readonly isTooSlow: boolean
  constructor(message: string, isTooSlow = false) {
    super(message)
    this.isTooSlow = isTooSlow
  }
}

interface Run {
  /** Milliseconds. */
  readonly limit: number
  readonly isIdle: boolean
}

const untilEnd: Run = { limit: ENCODING_TIMEOUT, isIdle: false }

/**
 * Runs the process with this input; for a large picture first while the machine has nothing else to do, and once more if
 * that is too little. @param signal ends it @param idleTime in milliseconds @returns its output @throws {ChildFailed}
 */
export async function encodeInChild(
  input: Uint8Array,
  signal: AbortSignal,
  idleTime = IDLE_TIME,
): Promise<Buffer> {
  if (input.length < LARGE) return await runChild(input, signal)
  try {
    return await runChild(input, signal, { limit: idleTime, isIdle: true })
  } catch (error) {
    if (error instanceof ChildFailed && error.isTooSlow) return await runChild(input, signal)
    throw error
  }
}

/** Runs the process with this input. @param signal ends it @returns its output @throws {ChildFailed} */
export async function runChild(
  input: Uint8Array,
  signal: AbortSignal,
  { limit, isIdle } = untilEnd,
): Promise<Buffer> {
  if (signal.aborted) throw new ChildFailed('The server is stopping')
  const child = spawn(process.execPath, [...CHILD_OPTIONS, SCRIPT], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const timeout = AbortSignal.timeout(limit)
  const stop = () => child.kill('SIGKILL')
  const stopped = AbortSignal.any([signal, timeout])
  stopped.addEventListener('abort', stop)
  if (input.length >= LARGE) lowerPriority(child.pid, isIdle)
  // It may end before it has read everything; its exit code says why.
  child.stdin.on('error', () => {}).end(input)
  try {
    const { output, end, complaint } = await collect(child, stop)
    if (end === 0) return output
    throw new ChildFailed(`It ended with ${end}. ${complaint}`.trim(), timeout.aborted)
  } finally {
    stopped.removeEventListener('abort', stop)
  }
}

/** Where the system does not allow it, the process competes with visitors. */
function lowerPriority(pid: number | undefined, isIdle: boolean) {
  if (pid === undefined) return
  try {
    setPriority(pid, PRIORITY)
  } catch {}
  // Linux only. Node cannot do it, and it cannot be taken back. A lower niceness would still hold up a request until the
  // process has used its turn; this one gives way at once.
  if (!isIdle) return
  const chrt = spawn(CHRT, ['--all-tasks', '--idle', '--pid', '0', String(pid)], { env: {}, stdio: 'ignore' })
  chrt.on('error', () => {})
}

type Child = ReturnType<typeof spawn>

interface Ended {
  readonly output: Buffer
  /** The exit code, or the signal that ended it. */
  readonly end: number | string | null
  readonly complaint: string
}

function collect(child: Child, stop: () => void): Promise<Ended> {
  const chunks: Buffer[] = []
  let length = 0
  let complaint = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_OUTPUT) return stop()
    chunks.push(chunk)
  })
  child.stderr?.on('data', chunk => {
    complaint = `${complaint}${chunk}`.slice(-MAX_COMPLAINT)
  })
  return new Promise((resolve, reject) => {
    child.once('error', error => reject(new ChildFailed(error.message)))
    child.once('close', (code, name) =>
      resolve({ output: Buffer.concat(chunks), end: name ?? code, complaint }),
    )
  })
}
