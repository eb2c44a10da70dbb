import { randomBytes } from 'node:crypto'
import { newId } from '../database/id.ts'
import { describeError, type Log } from '../log/logger.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../platform/circuit-breaker.ts'
import { type Clock, minutes, seconds } from '../platform/clock.ts'
import { type Email, recipientsOf, STATUS_TOKEN, withoutLogo } from './email.ts'
import {
  type AddressedEmail,
  DelayedRecipient,
  type DeliveryProblem,
  type EmailFile,
  PartialDelivery,
  PermanentRejection,
  ThrottledDelivery,
  type Transport,
  TransportError,
  UnconfirmedDelivery,
} from './transport.ts'

/** For an email that a person waits for; after this they see that it could not be sent. */
export const AWAITED_EMAIL = seconds(10)
/** However long a provider wants to be left alone. */
const MAX_THROTTLED = minutes(30)

export type Mail = ReturnType<typeof createMail>

export class DeliveryError extends Error {
  /** The provider did not reply in time, so the email may still arrive. */
  readonly isLate: boolean
  /** A known problem, for which there is advice. Null for any other. */
  readonly problem: DeliveryProblem | null

  constructor({ words, error = null, isLate = false, problem = null }: Failure) {
    super(words, { cause: error })
    this.isLate = isLate
    this.problem = problem
  }

  /** The provider works but will not send this email, however often it is tried. */
  get isPermanent(): boolean {
    return this.cause instanceof PermanentRejection
  }

  /** Who lacks an email that the others got. Null: nobody is known to have got it. */
  get lacking(): readonly string[] | null {
    return this.cause instanceof PartialDelivery ? this.cause.lacking : null
  }

  /** Milliseconds for which the provider wants to be left alone. */
  get retryAfter(): number {
    return this.cause instanceof ThrottledDelivery ? Math.min(MAX_THROTTLED, this.cause.retryAfter) : 0
  }

  /** The provider had the email and did not confirm it, so another attempt may be a second email. */
  get isUnconfirmed(): boolean {
    return this.cause instanceof UnconfirmedDelivery
  }
}

interface Failure {
  readonly words: string
  readonly error?: unknown
  readonly isLate?: boolean
  readonly problem?: DeliveryProblem | null
}

interface Dependencies {
  /** Called for each email, so that a changed setting applies to the next one. The same transport is the same object. */
  readonly choose: () => Promise<Transport>
  /** Records that an email came through, or the reason why the transport sends none. */
  readonly record?: (transport: Transport, failure: string | null) => Promise<void>
  /** The bytes of a logo by the id of its picture. Null for one that was deleted. */
  readonly readLogo?: (id: string) => Promise<Buffer | null>
  /** The files of an email by their ids. Null when one of them is gone. */
  readonly readFiles?: (ids: readonly string[]) => Promise<readonly EmailFile[] | null>
  /** Makes a token for the page of a message; empty where that no longer has this address. */
  readonly newStatusToken?: (messageId: string, to: string) => Promise<string>
  /** The sender address of every email, unless its transport has one. */
  readonly from: string
  readonly clock: Clock
  readonly log: Log
}

export function createMail({ choose, record, readLogo, readFiles, from, clock, log, ...more }: Dependencies) {
  const host = from.slice(from.lastIndexOf('@') + 1)
  // A provider with another key counts as another provider, with a circuit breaker of its own.
  const breakers = new WeakMap<Transport, CircuitBreaker>()
  /** Until when a provider that works wants to be left alone, in milliseconds of the clock. */
  const throttled = new WeakMap<Transport, number>()

  function breakerOf(transport: Transport): CircuitBreaker {
    const known = breakers.get(transport)
    if (known) return known
    const breaker = createCircuitBreaker(clock, () =>
      log('error', 'EmailService', 'The mail provider keeps failing; queued emails are paused', {
        transport: transport.kind,
      }),
    )
    breakers.set(transport, breaker)
    return breaker
  }

  function isThrottled(transport: Transport): boolean {
    const left = (throttled.get(transport) ?? 0) - clock().getTime()
    // More than that means that the clock was set back.
    return left > 0 && left <= MAX_THROTTLED
  }

  async function address(
    transport: Transport,
    { quoted, logo: logoId, attachments: ids, html, statusLinkOf, ...email }: Email,
    id: string,
  ): Promise<AddressedEmail> {
    // No email waits for it: without its logo it says the same.
    const logo = logoId ? await readLogo?.(logoId).catch(() => null) : null
    const files = ids && ((await readFiles?.(ids)) ?? throwFileGone())
    const token = statusLinkOf && (await more.newStatusToken?.(statusLinkOf, email.to))
    const withToken = (text: string) => (token !== undefined ? text.replaceAll(STATUS_TOKEN, token) : text)
    const attachments = files?.map(file => ({ ...file, type: sentType(file.type) }))
    return {
      ...email,
      ...(html !== undefined && { html: withToken(logo ? html : withoutLogo(html)) }),
      ...(logo && { logo }),
      ...(attachments && { attachments }),
      text: quoted ? `${withToken(email.text)}\n${quoted.text}` : withToken(email.text),
      from: transport.sender ?? from,
      messageId: email.messageId ?? `<${id}@${host}>`,
    }
  }

  async function recordOutcome(transport: Transport, failure: DeliveryError | null) {
    // It works, and does not send this one.
    if (isAboutEmail(failure)) return
    try {
      await record?.(transport, failure?.message ?? null)
    } catch (error) {
      const what = 'It could not be recorded whether emails come through'
      log('warning', 'EmailService', what, describeError(error))
    }
  }

  return {
    /** The address that emails come from now. */
    sender: async () => (await choose()).sender ?? from,
    /** The transport that emails use now. */
    transport: async () => (await choose()).kind,
    /**
     * Whether emails should wait: `open` while the provider keeps failing or wants to be left alone, and is not tried, `trial` when
     * one email may test whether it works again.
     */
    async state() {
      const transport = await choose()
      return isThrottled(transport) ? 'open' : breakerOf(transport).state()
    },
    /** How many emails the transport takes at the same time. */
    atOnce: async () => (await choose()).atOnce ?? Number.POSITIVE_INFINITY,
    /** Bytes of the files of one email that the transport takes together. */
    maxFileBytes: async () => (await choose()).maxFileBytes ?? Number.POSITIVE_INFINITY,
    /** A Message-ID that nobody can guess, for an email whose answer must find its conversation. */
    newMessageId: () => `<${randomBytes(16).toString('hex')}@${host}>`,
    /**
     * Sends one email through the transport, and gives up after `timeout` milliseconds. It tries even while the circuit
     * breaker is open, because a person may be waiting for a code.
     * @param id becomes part of the Message-ID; the same for every attempt at one email
     * @returns the transport that was used. @throws {DeliveryError} with the provider's message, or after the timeout
     */
    async send(email: Email, timeout: number, id = newId(clock())) {
      const transport = await choose()
      if (email.needsProvider && transport.kind === 'mailbox')
        throw new DeliveryError({ words: 'No mail provider is set up' })
      // What cannot be read here says nothing of the provider.
      const addressed = await address(transport, email, id).catch(error => {
        throw new DeliveryError({ words: describeError(error).error, error })
      })
      const failure = await breakerOf(transport).runEvenIfOpen(
        async () => await deliver(transport, addressed, timeout),
        result => result !== null && !isAboutEmail(result),
      )
      await recordOutcome(transport, failure)
      if (failure?.retryAfter) throttled.set(transport, clock().getTime() + failure.retryAfter)
      if (failure) throw failure
      return transport.kind
    },
    /** Sends one email through a transport that is not in use. @throws {DeliveryError} as `send` does */
    async sendBy(transport: Transport, email: Email, timeout: number) {
      const failure = await deliver(transport, await address(transport, email, newId(clock())), timeout)
      if (failure) throw failure
    },
  }
}

/** The provider works: it rejects or delays one email, for a reason that does not concern others, or takes only so many at a time. */
function isAboutEmail(failure: DeliveryError | null): boolean {
  const error = failure?.cause
  if (error instanceof ThrottledDelivery) return true
  return error instanceof DelayedRecipient || (error instanceof PermanentRejection && error.problem === null)
}

/** Of a file that was erased, or deleted with its conversation. */
function throwFileGone(): never {
  throw new PermanentRejection('A file of this email is no longer there, or was locked by the scanner')
}

/** A mail in a mail, or one of several parts, would have to be written as such, and not as bytes. */
const sentType = (type: string) =>
  /^(?:multipart|message)\//i.test(type) ? 'application/octet-stream' : type

/** Never throws. @returns null once it is delivered */
async function deliver(transport: Transport, email: AddressedEmail, timeout: number) {
  const signal = AbortSignal.timeout(timeout)
  try {
    // Who lacked it may have been erased since.
    if (recipientsOf(email).length === 0) throw new PermanentRejection('Nobody is left who lacks this email')
    await transport.deliver(email, signal)
    return null
  } catch (error) {
    const isLate = signal.aborted
    const words = isLate ? 'The mail provider did not answer in time' : describeError(error).error
    const ownProblem = error instanceof TransportError ? error.problem : null
    return new DeliveryError({ words, error, isLate, problem: isLate ? 'timeout' : ownProblem })
  }
}
