import type { Letter } from './letter.ts'

/** A letter with what the envelope needs. The Message-ID stays the same when a letter is tried again. */
export interface AddressedLetter extends Letter {
  readonly from: string
  readonly messageId: string
}

/** Hands letters to whoever carries them. */
export interface Transport {
  /** `mailbox` keeps letters on this machine instead of sending them. */
  readonly kind: 'smtp' | 'mailbox'
  /**
   * Resolves when the carrier has accepted the letter. Once `signal` is aborted it is given up and does not go.
   * @throws with the carrier's own words.
   */
  carry(letter: AddressedLetter, signal: AbortSignal): Promise<void>
}

/** The letter in the shape that nodemailer takes; addresses go as objects, so no text can add a recipient. */
export function toMimeOptions(letter: AddressedLetter) {
  return {
    messageId: letter.messageId,
    from: { name: letter.fromName, address: letter.from },
    to: { name: '', address: letter.to },
    ...(letter.replyTo && { replyTo: letter.replyTo }),
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
