import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod/mini'
import { isPostgres } from '../database/engine.ts'
import type { Database } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import { replies } from '../i18n/texts.ts'
import { type Clock, hours, minutes, seconds } from '../platform/clock.ts'
import type { Schema } from './endpoint.ts'
import { throwHttpError } from './http-error.ts'
import {
  claimKey,
  type FoundReply,
  findReply,
  forgetReply,
  type IdempotencyKey,
} from './idempotency-store.ts'

/** The work of a request that may be a repeat. */
export interface Attempt {
  /** Stores the reply for repeats, in the transaction that does the work. A repeat that was stored first undoes it. */
  storeReply(transaction: Transaction, reply: object): Promise<void>
  /**
   * Call it when something fails that a first request may have used up, perhaps on another node. The reply to that one
   * is then stored soon, and this request gets it too.
   */
  awaitFirstReply(): Promise<void>
}

/** Together a second: as long as it takes to store an enquiry with a valid bot-check token. */
const MAX_REPLY_POLLS = 5
const REPLY_POLL_INTERVAL = seconds(0.2)

/**
 * Reads the `Idempotency-Key` header. @param scope where keys are unique: the call, and the user of a signed-in one
 * @param content what a repeat has in common with the first request @throws {HttpError} 400
 */
export function keyFromHeader(scope: string, header: string | undefined, content: string) {
  if (header === undefined) return null
  if (!/^[\x21-\x7e]{8,200}$/.test(header))
    throwHttpError(400, 'An Idempotency-Key must have 8 to 200 visible ASCII characters')
  return { key: sha256(['key', scope, header]), requestHash: sha256([content]), lifetime: hours(24) }
}

/** For forms without JavaScript, which have no key: the same content from the same address is a repeat for minutes. */
export function keyFromContent(scope: string, address: string, content: string): IdempotencyKey {
  const key = sha256(['content', scope, address, content])
  return { key, requestHash: sha256([content]), lifetime: minutes(10) }
}

interface Node {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Does the work of a request once: a repeat gets the stored reply, now and on every node. Without a key each request is
 * the first. @param schema of the reply @param stands whether a reply still holds; if not, a repeat is a new request
 * @throws {HttpError} 422 for a key that was used for another request
 */
export async function replyOnce<Reply extends Schema>(
  node: Node,
  idempotencyKey: IdempotencyKey | null,
  schema: Reply,
  work: (attempt: Attempt) => Promise<z.output<Reply>>,
  stands: (reply: z.output<Reply>) => Promise<boolean> = async () => true,
): Promise<z.output<Reply>> {
  if (!idempotencyKey) return await work(onlyAttempt)
  const findFirst = async () => await findFirstReply(node, idempotencyKey, schema)
  return await keyedMutex(node.db, idempotencyKey.key, async () => {
    const first = await findFirst()
    if (first && (await stands(first.reply))) return first.reply
    if (first) await forgetReply(node.db, first.stored)
    try {
      return await work(attemptWith(node, idempotencyKey))
    } catch (error) {
      if (!(error instanceof Repeated)) throw error
      return ((await findFirst()) ?? throwExpired()).reply
    }
  })
}

const onlyAttempt: Attempt = { storeReply: async () => {}, awaitFirstReply: async () => {} }

/** Ends the work of a request whose reply another one has stored. */
class Repeated extends Error {}

function attemptWith({ db, clock }: Node, idempotencyKey: IdempotencyKey): Attempt {
  return {
    async storeReply(transaction, reply) {
      if (!(await claimKey(transaction, clock, { ...idempotencyKey, reply }))) throw new Repeated()
    },
    async awaitFirstReply() {
      for (let poll = 0; isPostgres(db) && poll < MAX_REPLY_POLLS; poll++) {
        if (await findReply(db, clock, idempotencyKey)) throw new Repeated()
        await sleep(REPLY_POLL_INTERVAL)
      }
    },
  }
}

async function findFirstReply<Reply extends Schema>(
  { db, clock }: Node,
  idempotencyKey: IdempotencyKey,
  schema: Reply,
): Promise<{ readonly reply: z.output<Reply>; readonly stored: FoundReply } | null> {
  const stored = await findReply(db, clock, idempotencyKey)
  if (!stored) return null
  if (stored.request_hash !== idempotencyKey.requestHash)
    throwHttpError(422, 'This Idempotency-Key was used for another request')
  return { reply: schema.parse(JSON.parse(stored.reply)), stored }
}

/** The first reply expired after its key was claimed and before it was read: the next attempt is a new request. */
function throwExpired(): never {
  throwHttpError(503, replies.unavailable, { retryAfter: 1 })
}

function sha256(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts))
}

/** For each node, identified by its database connection: the last piece of work queued for each key. */
const nodes = new WeakMap<Database, Map<string, Promise<unknown>>>()

/**
 * Runs work for one key at a time, in order of arrival. A browser that repeats a request before the first is answered
 * sends the same bot-check token, which works once: the second request has to wait for the first one's reply.
 */
async function keyedMutex<T>(node: Database, key: string, work: () => Promise<T>): Promise<T> {
  const inFlight = nodes.get(node) ?? new Map<string, Promise<unknown>>()
  nodes.set(node, inFlight)
  const previous = inFlight.get(key)
  const current = (previous ?? Promise.resolve()).then(work, work)
  inFlight.set(key, current)
  try {
    return await current
  } finally {
    if (inFlight.get(key) === current) inFlight.delete(key)
  }
}
