import type { Email } from './email.ts'

/** An email with its envelope. Every attempt at one email has the same Message-ID. */
export interface AddressedEmail extends Email {
  readonly from: string
  readonly messageId: string
}

/** Delivers emails through one provider. */
export interface Transport {
  /** `mailbox` keeps emails on this machine instead of sending them. */
  readonly kind: 'mailchimp' | 'smtp' | 'mailbox'
  /**
   * Resolves when the provider has accepted the email. Aborting `signal` abandons the attempt, but cannot stop a provider
   * that already has all of it. @throws with the provider's message; {PermanentRejection} when it works but rejects this
   * email; {UnconfirmedDelivery} when it may have accepted it
   */
  deliver(email: AddressedEmail, signal: AbortSignal): Promise<void>
}

/** The provider works but rejects one email, because of its content or its recipient; other emails are not affected. */
export class PermanentRejection extends Error {}

/** The provider got the email, or a part of it, and did not say whether it will deliver it. */
export class UnconfirmedDelivery extends Error {}
