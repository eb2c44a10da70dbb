import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, minutes, seconds } from '../../platform/clock.ts'
import { describeImapFailure, floodFailure, quote, timeFailure } from '../imap-failure.ts'
import { MailboxFailure } from '../mail-source.ts'

/** Bytes of a reply in JSON: 200 mails are listed in 100 KiB. */
const MAX_JSON = 1024 * 1024
/** What a reply may take. A hostile server would otherwise hold this process for as long as it likes. */
const TIME = seconds(30)
/** Bytes a second, of the slowest line that is waited for. */
const SLOWEST = 50 * 1024
/** Longer than this, nobody is waited for: it counts as a failure, and is tried again. */
const LONGEST_WAIT = seconds(30)
const MAX_WAITS = 3
/** Of what a server asks for: nobody should be kept from mail for a day by a wrong number. */
const MAX_RETRY_AFTER = minutes(30)
/** Where a busy server does not say how long. */
const USUAL_WAIT = seconds(5)

export interface Pace {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** What part of the usual time a step may take; tests are in a hurry. */
  readonly patience?: number | undefined
}

export interface Question {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
  /** Bytes of the reply, of which the rest is left out. */
  readonly most?: number
  /** What no message may repeat. */
  readonly secrets?: readonly string[]
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Whether it had more than was asked for. */
  readonly isCut: boolean
  /** Those of the question. */
  readonly secrets: readonly string[]
}

/** Asks one question, and follows nobody to another address. @throws {MailboxFailure} without a reply */
export async function ask(url: string, question: Question, pace: Pace): Promise<Answer> {
  const { method = 'GET', headers = {}, body = null, most = MAX_JSON, secrets = [] } = question
  const { signal, patience = 1 } = pace
  const begun = performance.now()
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  /** Each byte earns a little more time. */
  const allow = (received: number) => {
    clearTimeout(timer)
    const time = (TIME + (received / SLOWEST) * seconds(1)) * patience
    timer = setTimeout(() => late.abort(), Math.max(0, time - (performance.now() - begun)))
  }
  allow(0)
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      // A token goes to the configured address and to no other.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })
    const chunks: Uint8Array[] = []
    let received = 0
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      received += chunk.length
      if (received > most) break
      allow(received)
    }
    const all = Buffer.concat(chunks)
    return {
      status: response.status,
      headers: response.headers,
      body: all.subarray(0, most),
      isCut: received > most,
      secrets,
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (late.signal.aborted) throw timeFailure()
    throw describeImapFailure(error instanceof Error ? (error.cause ?? error) : error, secrets)
  } finally {
    clearTimeout(timer)
  }
}

/** What comes of `work`, which goes on when nobody waits for it any longer. @throws why nobody does */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([promise, work])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** As `ask`, and waits while the server says that it is busy, a few times and not for long. */
export async function askPatiently(question: () => Promise<Answer>, pace: Pace): Promise<Answer> {
  for (let waits = 0; ; waits++) {
    const answer = await question()
    if (!isBusy(answer)) return answer
    const wait = retryAfterOf(answer, pace.clock)
    if (waits === MAX_WAITS || wait > LONGEST_WAIT) throw busyFailure(wait)
    await sleep(wait * (pace.patience ?? 1), undefined, { signal: pace.signal, ref: false })
  }
}

export const isBusy = ({ status }: Answer) => status === 429 || status === 503 || status === 504

export function busyFailure(retryAfter: number): MailboxFailure {
  return new MailboxFailure('Microsoft asks to be left alone for a while', 'busy', { retryAfter })
}

/** Milliseconds for which a server wants to be left alone: `Retry-After` has seconds or a date (RFC 9110). */
export function retryAfterOf({ headers }: Answer, clock: Clock): number {
  const text = headers.get('Retry-After')?.trim() ?? ''
  const wanted = /^\d+$/.test(text) ? seconds(Number(text)) : Date.parse(text) - clock().getTime()
  return Number.isNaN(wanted) ? USUAL_WAIT : Math.min(MAX_RETRY_AFTER, Math.max(0, wanted))
}

/** @throws {MailboxFailure} for what is too long, or no JSON */
export function jsonOf({ body, isCut }: Answer): unknown {
  if (isCut) throw floodFailure()
  try {
    return JSON.parse(body.toString())
  } catch {
    throw strangeFailure()
  }
}

export function strangeFailure(): MailboxFailure {
  return new MailboxFailure('What Microsoft sent cannot be understood', 'answer')
}

/** The first line of a server's words, after a colon and without its full stop: the next ones are numbers for its support. */
export function firstLine(words: string | undefined, { secrets }: Pick<Answer, 'secrets'>): string {
  return quote(words?.split(/[\r\n]/)[0]?.replace(/\.\s*$/, ''), secrets)
}
