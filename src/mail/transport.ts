import type { Email } from './email.ts'

/** A letter with what the envelope needs. The Message-ID stays the same when a letter is tried again. */
export interface AddressedEmail extends Email {
  readonly from: string
  readonly messageId: string
}

/** Hands letters to whoever carries them. */
export interface Transport {
  /** `mailbox` keeps letters on this machine instead of sending them. */
  readonly kind: 'mailchimp' | 'smtp' | 'mailbox'
  /**
   * Resolves when the carrier has accepted the letter. Once `signal` is aborted it is given up; a carrier that already
   * has all of it cannot be stopped. @throws with the carrier's own words, and {PermanentRejection} when it works well but
   * will not take this letter.
   */
  deliver(email: AddressedEmail, signal: AbortSignal): Promise<void>
}

/** The carrier answers, and refuses one letter: its fault or its recipient's, and nothing that others would meet. */
export class PermanentRejection extends Error {}
