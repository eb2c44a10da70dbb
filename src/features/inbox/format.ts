import type { Message } from './contract.ts'

const reasons: Readonly<Record<string, string>> = {
  script_failed: 'Google’s script did not load in their browser',
  unavailable: 'the bot check was not available in their browser',
  unavailable_nojs: 'their browser has no JavaScript',
  failed_after_retries: 'the bot check gave no answer, however often it was asked',
  error: 'the bot check failed in their browser',
  exception: 'the bot check failed in their browser',
  disabled: 'their page had the bot check turned off',
  provider_down: 'Google did not answer',
  misconfigured: 'Google refused the keys in the settings',
}

/** What is known of the sender, in words. */
export function describeVerification(verification: Message['verification']): string {
  const [kind, detail = ''] = verification.split(':')
  if (kind === 'verified') return 'Passed the bot check'
  if (kind === 'off') return 'Not checked: the bot check was off'
  if (kind === 'suspect') return `May be a machine: scored ${detail} of 1`
  return `Not verified: ${reasons[detail] ?? 'the bot check could not be made'}`
}

/** The mark in a list of a message whose sender is doubtful. */
export function verificationBadge(verification: Message['verification']): string | null {
  if (verification.startsWith('suspect')) return 'Suspect'
  return verification.startsWith('unverified') ? 'Unverified' : null
}

/** An address with its domain as machines read it, so that letters of another alphabet cannot pass for ours. */
export function toAsciiEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it tells whether all characters are ASCII
  if (/^[\u0000-\u007f]*$/.test(domain)) return email
  const url = URL.parse(`http://${domain}`)
  return email.slice(0, at) + (url?.hostname ?? encodeURIComponent(domain))
}

/** Text that turns the direction of what follows it is fenced in. */
const TURNS_DIRECTION = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/

/** A visitor's name for the middle of a sentence of ours. */
export function isolateBidi(name: string): string {
  return TURNS_DIRECTION.test(name) ? `\u2068${name}\u2069` : name
}
