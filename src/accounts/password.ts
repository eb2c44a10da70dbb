import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { refuse } from '../http/problem.ts'

const derive = promisify(argon2)

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. About 20 ms, off the main thread. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** More at once would take memory and the threads that files need. */
const AT_ONCE = 4
const LONGEST_QUEUE = 50
let running = 0
const waiting: (() => void)[] = []

/** @returns `argon2id$m=…,t=…,p=…$salt$hash`, all that is needed to check a password later, at whatever cost was chosen. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await inTurn(() =>
    derive('argon2id', { message: password.normalize('NFC'), nonce: salt, ...COST }),
  )
  const cost = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`
  return ['argon2id', cost, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long when there is no such account, so that the time does not tell. */
export async function isPasswordRight(password: string, stored: string | undefined): Promise<boolean> {
  const [, cost = '', salt = '', hash = ''] = (stored ?? NOBODY).split('$')
  const [memory = 0, passes = 0, parallelism = 0] = cost.split(',').map(part => Number(part.slice(2)))
  const expected = Buffer.from(hash, 'base64url')
  const message = password.normalize('NFC')
  const nonce = Buffer.from(salt, 'base64url')
  const options = { message, nonce, memory, passes, parallelism, tagLength: expected.length }
  const given = await inTurn(() => derive('argon2id', options))
  return timingSafeEqual(given, expected) && stored !== undefined
}

/** The hash of a password that nobody has. */
const NOBODY = `argon2id$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= LONGEST_QUEUE)
      refuse(503, 'This is not possible right now. Please try again in a moment.', { retryAfter: 5 })
    await new Promise<void>(resolve => waiting.push(resolve))
  }
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
