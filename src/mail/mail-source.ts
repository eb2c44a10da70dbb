/** A mail as a mailbox hands it over. */
export interface FetchedMail {
  readonly raw: Uint8Array
  /** When the mailbox got it, in ISO 8601. */
  readonly receivedAt: string
  /** Bytes that were left out because it is over 30 MB: `raw` is its headers then. */
  readonly omitted?: number
}

/** Bytes of a mail that is fetched as a whole. */
export const MAX_MAIL = 30 * 1024 * 1024
