import * as z from 'zod/mini'
import { MailboxFailure } from './mail-source.ts'
import { describeSmtpFailure } from './smtp-failure.ts'

/** The error of imapflow or Node. */
const Failure = z.object({
  code: z.optional(z.unknown()),
  authenticationFailed: z.optional(z.unknown()),
  tlsFailed: z.optional(z.unknown()),
  /** What the server said to a command. */
  responseText: z.optional(z.unknown()),
  /** What it said before it closed the connection. */
  reason: z.optional(z.unknown()),
})

/** Characters of a server's words that are shown. */
const MAX_WORDS = 200

const FLOOD = new Set(['LiteralTooLarge', 'LineTooLarge', 'ResponseTooLarge'])
const TIMEOUT = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'EConnectionTimeout'])

export const floodFailure = () =>
  new MailboxFailure('The mail server sent more than it was asked for', 'flood')
export const timeFailure = () => new MailboxFailure('The mail server did not answer in time', 'timeout')

/** Describes a failure in words that are safe to show and to log. @param secrets what it may not repeat */
export function describeImapFailure(error: unknown, secrets: readonly string[]): MailboxFailure {
  if (error instanceof MailboxFailure) return error
  const parsed = Failure.safeParse(error)
  const { code, authenticationFailed, tlsFailed, ...failure } = parsed.success ? parsed.data : {}
  const words = quote(failure.responseText ?? failure.reason, secrets)
  if (FLOOD.has(String(code))) return floodFailure()
  if (TIMEOUT.has(String(code))) return timeFailure()
  if (/too many|simultaneous|connection limit/i.test(words))
    return new MailboxFailure(`The mail server allows no more connections now${words}`, 'connections')
  if (authenticationFailed)
    return new MailboxFailure(
      `The mail server did not accept the user name or the password${words}`,
      'credentials',
    )
  const network = describeSmtpFailure(error, secrets)
  if (network.problem) return new MailboxFailure(network.words, network.problem)
  if (tlsFailed)
    return new MailboxFailure('The connection to the mail server could not be encrypted', 'encryption')
  if (words) return new MailboxFailure(`The mail server refused${words}`, 'answer')
  return new MailboxFailure('The mail server closed the connection', 'answer')
}

/** On one line, after a colon, without control characters and secrets. */
export function quote(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== 'string') return ''
  const forms = secrets
    .filter(Boolean)
    .flatMap(secret => [secret, Buffer.from(secret).toString('base64'), JSON.stringify(secret)])
  const clean = forms
    .reduce((rest, form) => rest.replaceAll(form, '…'), text.toWellFormed())
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  if (clean === '') return ''
  return `: ${clean.length > MAX_WORDS ? `${clean.slice(0, MAX_WORDS).toWellFormed()}…` : clean}`
}
