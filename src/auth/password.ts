import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { throwHttpError } from '../http/http-error.ts'
import { replies } from '../i18n/texts.ts'

const derive = promisify(argon2)

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. About 20 ms, off the main thread. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** More would use too much memory, and the threads that file access needs. */
const MAX_CONCURRENT = 4
/** For each of the two queues. About a quarter of a second of work: beyond that, a client should retry. */
const MAX_QUEUED = 50
let running = 0

/**
 * Staff, recognised by their session or by a known cookie, have their own queue with priority: however many strangers
 * try to sign in, staff wait only for the hashes that are already running.
 */
export type Requester = 'staff' | 'stranger'
const waiting: Record<Requester, (() => void)[]> = { staff: [], stranger: [] }

/** @returns `argon2id$m=…,t=…,p=…$salt$hash`, which is all that a later check needs, whatever the cost settings are then. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await limitConcurrency('staff', () =>
    derive('argon2id', { message: password.normalize('NFC'), nonce: salt, ...COST }),
  )
  const cost = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`
  return ['argon2id', cost, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Takes the same time when there is no such account, so that the time does not show it. Call it within
 * `limitConcurrency`. @param stored undefined when there is no such account; empty when its owner has set no password yet
 */
export async function isPasswordRight(password: string, stored: string | undefined): Promise<boolean> {
  const [, cost = '', salt = '', hash = ''] = (stored || DUMMY_HASH).split('$')
  const [memory = 0, passes = 0, parallelism = 0] = cost.split(',').map(part => Number(part.slice(2)))
  const expected = Buffer.from(hash, 'base64url')
  const message = password.normalize('NFC')
  const nonce = Buffer.from(salt, 'base64url')
  const options = { message, nonce, memory, passes, parallelism, tagLength: expected.length }
  const actual = await derive('argon2id', options)
  return timingSafeEqual(actual, expected) && Boolean(stored)
}

/** Matches no password. */
const DUMMY_HASH = `argon2id$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Runs the check of a password, including its queries, when a slot is free. A request that is refused because the queue
 * is full has used no hash and no database connection. @throws {HttpError} 503
 */
export async function limitConcurrency<T>(requester: Requester, work: () => Promise<T>): Promise<T> {
  const queue = waiting[requester]
  if (running < MAX_CONCURRENT) running++
  else {
    if (queue.length >= MAX_QUEUED) throwHttpError(503, replies.unavailable, { retryAfter: 5 })
    await new Promise<void>(resolve => queue.push(resolve))
  }
  try {
    return await work()
  } finally {
    // The next in the queue takes over this slot, so that a new request cannot overtake it.
    const next = waiting.staff.shift() ?? waiting.stranger.shift()
    if (next) next()
    else running--
  }
}
