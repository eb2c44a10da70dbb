import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { throwHttpError } from '../http/http-error.ts'

const derive = promisify(argon2)

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. About 20 ms, off the main thread. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** More at once would take memory and the threads that files need. */
const MAX_CONCURRENT = 4
/** About a quarter of a second of work; whoever waits longer had better ask again. For each of the two queues. */
const MAX_QUEUED = 50
let running = 0

/**
 * Who waits for a hash. Staff, by their session or a cookie that the database knows, have a queue of their own, which
 * goes first: however many strangers ask, they wait for no more than the hashes that are being made.
 */
export type Asker = 'staff' | 'stranger'
const waiting: Record<Asker, (() => void)[]> = { staff: [], stranger: [] }

/** @returns `argon2id$m=…,t=…,p=…$salt$hash`, all that is needed to check a password later, at whatever cost was chosen. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await limitConcurrency('staff', () =>
    derive('argon2id', { message: password.normalize('NFC'), nonce: salt, ...COST }),
  )
  const cost = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`
  return ['argon2id', cost, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long when there is no such account, so that the time does not tell. To be called in turn. */
export async function isPasswordRight(password: string, stored: string | undefined): Promise<boolean> {
  const [, cost = '', salt = '', hash = ''] = (stored ?? NOBODY).split('$')
  const [memory = 0, passes = 0, parallelism = 0] = cost.split(',').map(part => Number(part.slice(2)))
  const expected = Buffer.from(hash, 'base64url')
  const message = password.normalize('NFC')
  const nonce = Buffer.from(salt, 'base64url')
  const options = { message, nonce, memory, passes, parallelism, tagLength: expected.length }
  const given = await derive('argon2id', options)
  return timingSafeEqual(given, expected) && stored !== undefined
}

/** The hash of a password that nobody has. */
const NOBODY = `argon2id$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Does what a password is looked at with once there is room. Whoever finds none has cost nothing yet: no hash, and no
 * place at the database, of which others would then go short. @throws {Problem} 503
 */
export async function limitConcurrency<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
  const queue = waiting[asker]
  if (running < MAX_CONCURRENT) running++
  else {
    if (queue.length >= MAX_QUEUED)
      throwHttpError(503, 'This is not possible right now. Please try again in a moment.', { retryAfter: 5 })
    await new Promise<void>(resolve => queue.push(resolve))
  }
  try {
    return await work()
  } finally {
    // Whoever is next takes this place over, so that nobody who has just come slips in before.
    const next = waiting.staff.shift() ?? waiting.stranger.shift()
    if (next) next()
    else running--
  }
}
