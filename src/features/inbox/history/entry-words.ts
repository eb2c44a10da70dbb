import type { Entry } from '../conversation/contract.ts'

type Words = (who: string, detail: string | null) => string

const statusWords: Readonly<Record<string, string>> = {
  open: 'opened this again',
  waiting: 'set this to waiting for the visitor',
  closed: 'closed this',
  spam: 'marked this as spam',
}

const words = {
  read: who => `${who} read this`,
  unread: who => `${who} marked this as unread`,
  forwarded: (who, detail) => `${who} forwarded this${detail ? ` to ${detail}` : ' by email'}`,
  retried: who => `${who} had an email sent again`,
  status: (who, detail) => `${who} ${statusWords[detail ?? ''] ?? `changed the status to ${detail}`}`,
  assigned: (who, detail) =>
    who === detail
      ? `${who} took this enquiry`
      : `${who} assigned this to ${detail ?? 'somebody who has left'}`,
  unassigned: who => `${who} assigned this to nobody`,
  released: (_who, detail) =>
    `${detail ?? 'A colleague'} can no longer answer, so this is assigned to nobody`,
  tagged: (who, detail) => `${who} added ${tagWord(detail)} ${detail}`,
  untagged: (who, detail) => `${who} removed ${tagWord(detail)} ${detail}`,
  snoozed: (who, detail) => `${who} snoozed this until ${detail}`,
  unsnoozed: who => `${who} ended the snooze`,
  'reply-undone': who => `${who} took a reply back before it was sent`,
  merged: (who, detail) => `${who} merged ${detail} into this`,
  'merged-into': who => `${who} merged this into another enquiry`,
  unmerged: (who, detail) => `${who} undid the merge${detail ? ` of ${detail}` : ''}`,
  separated: () => 'The enquiry that this was merged into was deleted, so this stands alone again',
  'address-corrected': (who, detail) =>
    detail ? `${who} corrected the email address, which was ${detail}` : `${who} added the email address`,
  'reply-failed': () => 'A reply could not be sent, so this is open again',
  'reply-unsent': (who, detail) => `${who}’s scheduled reply was not sent. ${detail}`,
  acknowledged: () => 'Acknowledgement sent, with the Consumer Guide',
  withdrawn: () => 'The visitor withdrew this enquiry, on its page',
  'erasure-asked': () => 'The visitor asks to be erased, on the page of the enquiry: an admin decides',
  'erasure-refused': (who, detail) => `${who} refused to erase the visitor: ${detail}`,
  'links-revoked': who => `${who} revoked the visitor’s links to this enquiry`,
} satisfies Readonly<Record<string, Words>>

/** What the history of a message records of what staff did, and that a reply could not be sent. */
export type MessageEvent = keyof typeof words

const tagWord = (detail: string | null) => (detail?.includes(',') ? 'the tags' : 'the tag')

const isKnown = (event: string): event is MessageEvent => event in words

export function describeEvent(
  { author, body, detail, delivery }: Pick<Entry, 'author' | 'body' | 'detail' | 'delivery'>,
  formatTime: (iso: string) => string,
): string {
  const who = author?.name ?? 'Somebody who has left'
  if (body === 'acknowledged' && delivery === 'failed') return 'The acknowledgement could not be sent'
  if (body === 'acknowledged' && delivery === 'waiting') return 'The acknowledgement is not out yet'
  // What follows from what a visitor did has nobody's name.
  if (author === null && body === 'status' && detail === 'open') return 'This is open again'
  if (author === null && body === 'unsnoozed') return 'The snooze ended'
  // A newer version of the server may record what this one does not know.
  if (!isKnown(body)) return [who, body, detail].filter(Boolean).join(': ')
  const describe: Words = words[body]
  return describe(who, body === 'snoozed' && detail ? formatTime(detail) : detail)
}

type Outcome = NonNullable<Entry['outcome']>
type Call = Pick<Entry, 'direction' | 'outcome' | 'minutes'>

export const outcomeLabels: Readonly<Record<Outcome, string>> = {
  reached: 'Reached',
  'no-answer': 'No answer',
  'left-message': 'Left a message',
}

/** What somebody did, after their name. @param visitor the first name of the visitor */
export function describeCall({ direction, outcome = 'reached' }: Call, visitor: string): string {
  if (direction === undefined) return `on the phone with ${visitor}`
  if (direction === 'out') return `called ${visitor}`
  return outcome === 'reached' ? `took a call from ${visitor}` : `missed a call from ${visitor}`
}

/** What came of it, and how long it took. */
export function describeOutcome({ outcome = 'reached', minutes }: Call): string {
  return outcomeLabels[outcome] + (minutes === undefined ? '' : ` · ${minutes} min`)
}
