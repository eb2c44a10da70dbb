import type { Email } from './email.ts'

/** An email with its envelope, and what it quotes in its text. Every attempt at one email has the same Message-ID. */
export interface AddressedEmail extends Omit<Email, 'quoted' | 'logo' | 'attachments'> {
  readonly attachments?: readonly EmailFile[]
  /** A PNG that its HTML shows. */
  readonly logo?: Buffer
  readonly from: string
  readonly messageId: string
}

/** A file that goes with an email. */
export interface EmailFile {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

/** Delivers emails through one provider. */
export interface Transport {
  /** `mailbox` keeps emails on this machine instead of sending them. */
  readonly kind: 'mailchimp' | 'smtp' | 'graph' | 'mailbox'
  /** The address that its emails come from, where that is not `MAIL_FROM`. */
  readonly sender?: string
  /** How many emails it takes at the same time, where that is few. */
  readonly atOnce?: number
  /** Bytes of the files of one email together, where it takes few. */
  readonly maxFileBytes?: number
  /** Identifies the provider and its account, where it is recorded whether emails come through. */
  readonly fingerprint?: string
  /**
   * Resolves when the provider has accepted the email. Aborting `signal` abandons the attempt, but cannot stop a provider
   * that already has all of it. @throws with the provider's message; {PermanentRejection} when it works but rejects this
   * email; {UnconfirmedDelivery} when it may have accepted it
   */
  deliver(email: AddressedEmail, signal: AbortSignal): Promise<void>
}

/** Failures for which there is something to do. What to do is said where people read it. */
export type DeliveryProblem =
  | 'credentials'
  | 'consent'
  | 'sign_in'
  | 'sender'
  | 'quota'
  | 'refused'
  | 'timeout'
  | 'unknown_host'
  | 'certificate_name'
  | 'certificate'
  | 'encryption'
  | 'no_mail_server'

/** A failed delivery. Its message is safe to show: one short line, without a password. */
export class TransportError extends Error {
  readonly problem: DeliveryProblem | null

  constructor(words: string, problem: DeliveryProblem | null = null, options?: ErrorOptions) {
    super(words, options)
    this.problem = problem
  }
}

/** The provider works but rejects one email, because of its content or its recipient; other emails are not affected. */
export class PermanentRejection extends TransportError {}

/** The provider has the email, and sends it to some of its recipients only. */
export class PartialDelivery extends PermanentRejection {
  /** Who does not get it. */
  readonly lacking: readonly string[]

  constructor(words: string, lacking: readonly string[], problem: DeliveryProblem | null = null) {
    super(words, problem)
    this.lacking = lacking
  }
}

/** The provider works and does not take emails for one recipient now, but perhaps later; other emails are not affected. */
export class DelayedRecipient extends TransportError {}

/** The provider works and takes no more emails for now. */
export class ThrottledDelivery extends TransportError {
  /** Milliseconds for which it wants to be left alone. */
  readonly retryAfter: number

  constructor(words: string, retryAfter: number) {
    super(words)
    this.retryAfter = retryAfter
  }
}

/** The provider got the email, or a part of it, and did not say whether it will deliver it. */
export class UnconfirmedDelivery extends TransportError {}
