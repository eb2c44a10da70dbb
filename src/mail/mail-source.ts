import type { MailboxRow } from '../database/mail-in-tables.ts'
import type { DeliveryProblem } from './transport.ts'

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
/** Bytes of headers: many have 20 KiB after a few relays and signatures. */
export const MAX_HEADERS = 256 * 1024
/** Bytes of mails that are fetched together, and so in memory together. */
const MAX_BATCH = 4 * 1024 * 1024
const MAX_BATCH_MAILS = 25

/** Mails that are listed together. */
export const LISTED = 200
/** Mails that are imported before it is looked whether a new one has come. */
export const IMPORTED = 25
/** Mails of which it is looked whether a test email is among them. */
export const ARRIVED = 100

/** A mail in a mailbox, before its text is fetched. */
export interface ListedMail {
  /** As the mailbox names it, for as long as it does not rename all of them. */
  readonly id: string
  /** Bytes; null where the mailbox does not say. */
  readonly size: number | null
  /** When the mailbox got it, in ISO 8601. */
  readonly receivedAt: string
}

/** Earlier mails that are imported together. */
export interface EarlierMails {
  readonly mails: readonly ListedMail[]
  /** How many that are, with those that are left out. */
  readonly count: number
  /** Where the next ones begin. */
  readonly cursor: string
}

/**
 * One connection to a mailbox, whatever it speaks. It keeps how far the mailbox is fetched by itself; who stores the mails says
 * when they are stored. Each step throws `MailboxFailure`.
 */
export interface MailSource {
  /** Whether there may be something new, so that nobody waits. */
  readonly hasNews: boolean
  /** Whether the next step may succeed. */
  readonly isUsable: boolean
  /** Finds out where to go on. Only who has the lease may call it, and what follows up to `fetch`, except `listArrived`. */
  begin(): Promise<void>
  /** Mails that have come, the oldest first. What a part holds is stored when the next one is asked for. */
  listNew(): AsyncIterable<readonly ListedMail[]>
  /** Mails from a time on that count as new, each with its Message-ID. */
  listSince(time: Date): AsyncIterable<ReadonlyMap<ListedMail, string | null>>
  /** Mails that came since `begin` and may not have been stored, each with its Message-ID. Of more than 100, the last ones. */
  listArrived(): Promise<ReadonlyMap<ListedMail, string | null>>
  /** Whether a mail that arrived at this time has been stored, or passed over. */
  hasPassed(row: MailboxRow, mail: ListedMail, arrivedAt: string): boolean
  /** How many earlier mails there are. @param from leaves out those before it */
  countEarlier(from: Date | null): Promise<number>
  /** Some earlier mails, the oldest first. @param cursor null to begin @returns null after the last one */
  listEarlier(cursor: string | null, from: Date | null): Promise<EarlierMails | null>
  /** Mails that together are small enough for the memory, by their id; one that is gone is left out. See `batchesOf`. */
  fetch(mails: readonly ListedMail[]): Promise<ReadonlyMap<string, FetchedMail>>
  /** Only the headers: of a mail that is too large, or that cannot be fetched. Null for one that is gone. */
  fetchHeaders(mail: ListedMail): Promise<FetchedMail | null>
  isThere(mail: ListedMail): Promise<boolean>
  /** Waits until there may be something new, but not longer than `time` milliseconds. */
  waitForNews(time: number, wake: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Mails to be fetched together, in their order. One that is larger than a batch comes alone, as does one of unknown size. */
export function batchesOf(mails: readonly ListedMail[]): ListedMail[][] {
  const batches: ListedMail[][] = []
  let total = Number.POSITIVE_INFINITY
  for (const mail of mails) {
    const last = batches.at(-1)
    const size = mail.size ?? MAX_BATCH
    if (last && total + size <= MAX_BATCH && last.length < MAX_BATCH_MAILS) {
      last.push(mail)
      total += size
    } else {
      batches.push([mail])
      total = size
    }
  }
  return batches
}

/** The Message-ID in the headers of a mail, as it is compared; null without one. */
export function messageIdOf(raw: Uint8Array): string | null {
  return /^Message-ID:\s*(<[^<>\s]{1,995}>)/im.exec(headersOf(raw))?.[1] ?? null
}

/** The header lines of a mail, in Latin-1. */
export function headersOf(raw: Uint8Array): string {
  const head = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, MAX_HEADERS)).toString('latin1')
  const end = head.search(/\r?\n\r?\n/)
  return end === -1 ? head : head.slice(0, end)
}

/** Failures for which there is something to do. What to do is said where people read it. */
export type MailboxProblem =
  | DeliveryProblem
  | 'folder'
  | 'connections'
  | 'flood'
  | 'answer'
  // Of Microsoft: too many questions, a wrong app, no rights, and what becomes of a code.
  | 'busy'
  | 'app'
  | 'access'
  | 'declined'
  | 'expired'

/** A failed conversation with a mailbox. Its message is safe to show: one short line, without a password. */
export class MailboxFailure extends Error {
  readonly problem: MailboxProblem
  /** Milliseconds for which the server wants to be left alone. */
  readonly retryAfter: number

  constructor(words: string, problem: MailboxProblem, options: ErrorOptions & { retryAfter?: number } = {}) {
    super(words, options)
    this.problem = problem
    this.retryAfter = options.retryAfter ?? 0
  }
}
