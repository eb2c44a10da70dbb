import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import { seconds } from '../platform/clock.ts'
import type { PictureKind } from './sizes.ts'
import type { Throttle } from './throttle.server.ts'

/** Milliseconds. A large photograph takes a fifth of it on a slow machine, and a hostile file may take for ever. */
const ENCODING_TIMEOUT = seconds(30)
/** Niceness, of -20 to 19. Visitors come first, but it must end in time on a busy machine too. */
const PRIORITY = 10
/** Bytes. All sizes of a picture are a tenth of it. */
const MAX_OUTPUT = 8 * 1024 * 1024
/** Megabytes of JavaScript objects. Pixels lie outside of them, and their number is limited. */
const MAX_HEAP = 64
/** Characters of what the process says when it fails. */
const MAX_STDERR = 1000

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

/**
 * Runs the process with this input. @param signal ends it @param throttle stops it
 * @param limit in milliseconds @returns its output @throws {ChildFailed}
 */
export async function encodeInChild(
  input: Uint8Array,
  signal: AbortSignal,
  throttle: Throttle,
  limit = ENCODING_TIMEOUT,
  kind: PictureKind = 'picture',
): Promise<Buffer> {
  if (signal.aborted) throw new ChildFailed('The server is stopping')
  const child = spawn(process.execPath, [...CHILD_OPTIONS, SCRIPT, kind], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const timeout = AbortSignal.timeout(limit)
  const stop = () => child.kill('SIGKILL')
  const stopped = AbortSignal.any([signal, timeout])
  stopped.addEventListener('abort', stop)
  lowerPriority(child.pid)
  const ended = throttle.watch(child)
  // It may end before it has read everything; its exit code says why.
  child.stdin.on('error', () => {}).end(input)
  try {
    const { output, end, stderr } = await collect(child, stop)
    if (end === 0) return output
    throw new ChildFailed(`It ended with ${end}. ${stderr}`.trim(), timeout.aborted)
  } finally {
    ended()
    stopped.removeEventListener('abort', stop)
  }
}

/** Where the system does not allow it, the process competes with visitors. */
function lowerPriority(pid: number | undefined) {
  if (pid === undefined) return
  try {
    setPriority(pid, PRIORITY)
  } catch {}
}

type Child = ReturnType<typeof spawn>

interface Ended {
  readonly output: Buffer
  /** The exit code, or the signal that ended it. */
  readonly end: number | string | null
  readonly stderr: string
}

function collect(child: Child, stop: () => void): Promise<Ended> {
  const chunks: Buffer[] = []
  let length = 0
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_OUTPUT) return stop()
    chunks.push(chunk)
  })
  child.stderr?.on('data', chunk => {
    stderr = `${stderr}${chunk}`.slice(-MAX_STDERR)
  })
  return new Promise((resolve, reject) => {
    child.once('error', error => reject(new ChildFailed(error.message)))
    child.once('close', (code, name) => resolve({ output: Buffer.concat(chunks), end: name ?? code, stderr }))
  })
}
