import { hours } from '../../../platform/clock.ts'
import type { Message } from '../contract.ts'

const reasons: Readonly<Record<string, string>> = {
  email: 'they wrote by email, where there is no bot check',
  script_failed: 'Google’s script did not load in their browser',
  unavailable: 'the bot check was not available in their browser',
  unavailable_nojs: 'their browser has no JavaScript',
  failed_after_retries: 'the bot check did not respond after several attempts',
  error: 'the bot check failed in their browser',
  exception: 'the bot check failed in their browser',
  disabled: 'their page had the bot check turned off',
  provider_down: 'Google did not respond',
  misconfigured: 'Google rejected the keys in the settings',
}

export function describeVerification(verification: Message['verification']): string {
  const [kind, detail = ''] = verification.split(':')
  if (kind === 'verified') return 'Not a bot, as far as the check can say'
  if (kind === 'off') return 'Not checked: the bot check was off'
  if (kind === 'suspect') return `May be a bot: scored ${detail} of 1`
  return `Not verified: ${reasons[detail] ?? 'the bot check could not run'}`
}

/** The badge for a sender who was not verified; null for others. */
export function verificationBadge(verification: Message['verification']): string | null {
  if (verification.startsWith('suspect')) return 'Suspect'
  return verification.startsWith('unverified') ? 'Unverified' : null
}

/** An email address with its domain in Punycode, so that look-alike characters of another alphabet are visible. */
export function toAsciiEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches ASCII only, including control characters
  if (/^[\u0000-\u007f]*$/.test(domain)) return email
  const url = URL.parse(`http://${domain}`)
  return email.slice(0, at) + (url?.hostname ?? encodeURIComponent(domain))
}

/** Right-to-left scripts and bidirectional controls, which can reorder the text after them. */
const CHANGES_DIRECTION = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/

/** Isolates a visitor's name, so that it cannot change the direction of the sentence around it. */
export function isolateBidi(name: string): string {
  return CHANGES_DIRECTION.test(name) ? `\u2068${name}\u2069` : name
}

/** Written before a name, and no part of it. */
const TITLE = /^(?:dr|mr|mrs|ms|miss|mx|prof|professor|sir|madam)\.?$/iu

/** What a person is called in a short label. */
export function firstName(name: string): string {
  const words = name.trim().split(/\s+/u)
  return isolateBidi((words.length > 1 ? words.find(word => !TITLE.test(word)) : words[0]) || name)
}

/** What mail programs write before the subject of an answer, in many languages. That of a forwarded mail is not among them. */
const REPLY_PREFIX =
  /^\s*(?:(?:re|res|aw|antw|antwort|sv|vs|odp|ynt|bls|atb|vá|ré|trả lời|回复|回覆|答复|答覆|返信|회신|رد|पुनः)\s?(?:\[\d+\])?\s?[:：]\s*)+/iu

/** Whether a mail answers ours and its sender has left our subject as it was, which says nothing. */
export function isOurSubject(subject: string, reference: string): boolean {
  const own = subject.replace(REPLY_PREFIX, '').trim()
  return [`Your enquiry ${reference}`, `We have received your enquiry ${reference}`].includes(own)
}

export const statusLabels = {
  open: 'Open',
  waiting: 'Waiting',
  snoozed: 'Snoozed',
  closed: 'Closed',
  spam: 'Spam',
}

/** What is to be done with a message now: its status, unless it is snoozed. @param now milliseconds */
export function stateOf({ status, snoozedUntil }: Pick<Message, 'status' | 'snoozedUntil'>, now: number) {
  return snoozedUntil && Date.parse(snoozedUntil) > now ? 'snoozed' : status
}

/** Hours after which a reader thinks in days. */
const MAX_HOURS = 99

/** `Overdue 5 h` while a reply to an open message is late, else null. @param now milliseconds */
export function describeOverdue(
  message: Pick<Message, 'status' | 'snoozedUntil' | 'dueAt'>,
  now: number,
): string | null {
  const late = message.dueAt === null ? Number.NaN : Math.floor((now - Date.parse(message.dueAt)) / hours(1))
  if (!(late >= 0) || stateOf(message, now) !== 'open') return null
  if (late === 0) return 'Overdue'
  return late > MAX_HOURS ? `Overdue ${Math.floor(late / 24)} days` : `Overdue ${late} h`
}

/** `Tom van Okafor` → `TO`. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u)
  const initials = [words[0], ...words.slice(1).slice(-1)].map(word => [...(word ?? '')][0])
  return initials.join('').toUpperCase()
}

/** Whether each word that is typed is the beginning of one in the label. */
export function beginsWith(label: string, typed: string): boolean {
  const words = fold(label).split(/[^\p{L}\p{N}]+/u)
  return fold(typed)
    .split(/\s+/)
    .every(part => words.some(word => word.startsWith(part)) || fold(label).startsWith(part))
}

/** Without accents, in lower case. */
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const format = new Intl.NumberFormat('en-AU')
export const figure = (count: number) => format.format(count)
export const enquiryCount = (count: number) => `${figure(count)} ${count === 1 ? 'enquiry' : 'enquiries'}`
