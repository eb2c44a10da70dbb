import { type CircuitBreaker, createCircuitBreaker } from '../circuit-breaker.ts'
import type { Clock } from '../clock.ts'
import { newId } from '../database/id.ts'
import type { Log } from '../log/logger.ts'
import type { Email } from './email.ts'
import { type AddressedEmail, PermanentRejection, type Transport } from './transport.ts'

export interface Mail {
  /** The way that letters take at present. */
  transport(): Promise<Transport['kind']>
  /**
   * Whether letters that can wait should: `open` while a provider that keeps failing is left alone, `trial` when one
   * letter may show whether it works again.
   */
  state(): Promise<ReturnType<CircuitBreaker['state']>>
  /**
   * Hands one letter to the transport and waits for its answer, at most `patience` milliseconds; then the letter is
   * given up. It tries even a provider that is left alone: whoever calls this may be waiting for a code.
   * @param id names the letter in its Message-ID; the same for every try of one letter.
   * @returns the way it took. @throws {DeliveryError} with the provider's own words, or when nothing was heard in time.
   */
  send(email: Email, timeout: number, id?: string): Promise<Transport['kind']>
}

export class DeliveryError extends Error {
  /** The provider said nothing in time, so the letter may arrive all the same. */
  readonly isLate: boolean

  constructor(words: string, { cause, isLate }: { cause: unknown; isLate: boolean }) {
    super(words, { cause })
    this.isLate = isLate
  }
}

interface Dependencies {
  /** Asked for each letter, so that a changed setting counts from the next one on. The same one is the same object. */
  readonly choose: () => Promise<Transport>
  /** The sender of every letter. */
  readonly from: string
  readonly clock: Clock
  readonly log: Log
}

export function createMail({ choose, from, clock, log }: Dependencies): Mail {
  const host = from.slice(from.lastIndexOf('@') + 1)
  // A provider with another key is another provider: what the old one did is not held against it.
  const breakers = new WeakMap<Transport, CircuitBreaker>()

  function breakerOf(transport: Transport): CircuitBreaker {
    const known = breakers.get(transport)
    if (known) return known
    const made = createCircuitBreaker(clock, () =>
      log(
        'error',
        'EmailService',
        'The mail provider keeps failing; letters that can wait do so for a while',
        {
          transport: transport.kind,
        },
      ),
    )
    breakers.set(transport, made)
    return made
  }

  return {
    transport: async () => (await choose()).kind,
    state: async () => breakerOf(await choose()).state(),
    async send(email, timeout, id = newId(clock())) {
      const transport = await choose()
      const addressed = { ...email, from, messageId: `<${id}@${host}>` }
      const outcome = await breakerOf(transport).runEvenIfOpen(
        () => deliver(transport, addressed, timeout),
        ({ error }) => error !== null && !(error instanceof PermanentRejection),
      )
      if (outcome.error)
        throw new DeliveryError(outcome.words, { cause: outcome.error, isLate: outcome.isLate })
      return transport.kind
    },
  }
}

/** Never throws: what went wrong is an outcome, with the words for it. */
async function deliver(
  transport: Transport,
  email: AddressedEmail,
  timeout: number,
): Promise<{ error: unknown; words: string; isLate: boolean }> {
  const signal = AbortSignal.timeout(timeout)
  try {
    await transport.deliver(email, signal)
    return { error: null, words: '', isLate: false }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const isLate = signal.aborted
    return { error, words: isLate ? 'The mail provider did not answer in time' : words, isLate }
  }
}
