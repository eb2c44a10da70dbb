import * as z from 'zod/mini'
import type { DeliveryProblem } from './transport.ts'

/** Characters of a server's reply that are shown: two or three sentences, and no page of something else. */
const MAX_REPLY = 300

/** The error of nodemailer or Node after a failed conversation. */
const Failure = z.object({
  code: z.optional(z.string()),
  /** Node's code, where nodemailer has put its own. */
  originalCode: z.optional(z.string()),
  /** The server's reply, if it replied. */
  response: z.optional(z.string()),
  responseCode: z.optional(z.number()),
  command: z.optional(z.string()),
})
type Failure = z.output<typeof Failure>

interface Description {
  /** The server's own reply, or what happened, on one line. */
  readonly words: string
  readonly problem: DeliveryProblem | null
  /** The server rejects this email, and accepts others. */
  readonly isPermanent: boolean
  /** The server does not take the recipients for now, and takes others. */
  readonly isDelayed: boolean
  /** The server has replied, so it has not accepted the email. */
  readonly hasReplied: boolean
}

/**
 * Describes a failure in words that are safe to show and to log. Only a reply in the form of SMTP is repeated, because the
 * text may come from any server; nothing else that was received is. @param secrets are removed from the reply
 */
export function describeSmtpFailure(error: unknown, secrets: readonly string[]): Description {
  const parsed = Failure.safeParse(firstOf(error))
  const failure = parsed.success ? parsed.data : {}
  const reply = isReply(failure.response) ? cleanReply(failure.response, secrets) : ''
  const problem = reply ? problemOfReply(reply, failure) : problemOfNetwork(failure)
  const words = reply || describeProblem(problem, failure)
  const code = failure.responseCode ?? 0
  const isPermanent = isAboutEmail(failure) && code >= 500
  return { words, problem, isPermanent, isDelayed: isDelayed(reply, failure), hasReplied: code > 0 }
}

/** Where a name has several addresses, the failure of the first one that was tried. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error
}

/** A 5xx after the sign-in is about this email; a timeout is about the server, as is a 4xx that delays no recipient. */
function isAboutEmail({ command = '' }: Failure): boolean {
  return !/^(CONN|EHLO|HELO|STARTTLS|AUTH|API)/.test(command)
}

/**
 * A server that has taken the sender and delays the recipients works: a domain cannot be found, a mailbox is full, strangers
 * wait. But not where it says that it is the server (421, 4.3) or the sender after all (4.1.7, 4.1.8).
 */
function isDelayed(reply: string, { command }: Failure): boolean {
  return command === 'RCPT TO' && /^4\d\d(?! 4\.(3\.|1\.[78]\b))/.test(reply) && !/^421/.test(reply)
}

function isReply(response: string | undefined): response is string {
  return response?.split('\n').every(line => /^[2-5]\d\d([ -]|$)/.test(line)) ?? false
}

/** On one line, without the codes that each further line repeats, control characters and secrets. */
function cleanReply(reply: string, secrets: readonly string[]): string {
  const joined = reply.toWellFormed().replace(/\r?\n\d{3}[ -]?(\d\.\d{1,3}\.\d{1,3} )?/g, ' ')
  // Some servers repeat their code in the text.
  const once = joined.replace(/^(\d{3}) \1(?= )/, '$1')
  const clean = withoutSecrets(once, secrets)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return clean.length > MAX_REPLY ? `${clean.slice(0, MAX_REPLY).toWellFormed()}…` : clean
}

/** Some servers repeat what they do not understand, also as it was encoded for the sign-in. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.filter(Boolean).flatMap(secret => [secret, Buffer.from(secret).toString('base64')])
  return forms.reduce((rest, form) => rest.replaceAll(form, '…'), text)
}

function problemOfReply(reply: string, { command = '' }: Failure): DeliveryProblem | null {
  if (/^53[45]/.test(reply)) return 'credentials'
  if (/^530/.test(reply)) return 'sign_in'
  if (command === 'STARTTLS') return 'encryption'
  if (
    /^[45]\d\d [45]\.4\.5\b|(sending|daily|hourly) .*(limit|quota)|(limit|quota) .*(sending|per (day|hour))/i.test(
      reply,
    )
  )
    return 'quota'
  return /^55\d/.test(reply) && isAboutSender(reply, command) ? 'sender' : null
}

/** Of a recipient, whose server may have written what comes later, only how the reply begins is believed. */
function isAboutSender(reply: string, command: string): boolean {
  if (command === 'MAIL FROM') return true
  if (/^55\d 5\.1\.[78]\b/.test(reply)) return true
  if (command === 'RCPT TO')
    return /^55\d (5\.7\.\d+ )?(<[^<> ]*>:? )?sender (address )?(rejected|refused|not )/i.test(reply)
  return /send ?as|sender (address )?(rejected|refused|denied|not )|verified sender/i.test(reply)
}

const byCode: Readonly<Record<string, DeliveryProblem>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  EDNS: 'unknown_host',
  // With the same answer as for a name that does not exist, or the answers would list the servers of the internal network.
  ERR_IP_BLOCKED: 'unknown_host',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  CERT_HAS_EXPIRED: 'certificate',
  CERT_NOT_YET_VALID: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
  EPROTOCOL: 'no_mail_server',
  ETLS: 'encryption',
}

function problemOfNetwork({ code = '', originalCode = '' }: Failure): DeliveryProblem | null {
  const problem = byCode[originalCode] ?? byCode[code]
  return problem ?? (/SSL|TLS/.test(originalCode) ? 'encryption' : null)
}

const descriptions: Readonly<Record<DeliveryProblem, string>> = {
  credentials: 'The mail server did not accept the user name or the password',
  consent: 'Somebody has to sign in at the provider again',
  sign_in: 'The mail server asks for a user name and a password',
  sender: 'The mail server does not accept the sender',
  quota: 'The mail server sends no more emails for now',
  refused: 'The mail server refused the connection',
  timeout: 'The mail server did not answer in time',
  unknown_host: 'There is no mail server of this name on the internet',
  certificate_name: 'The certificate of the mail server is for another name',
  certificate: 'The certificate of the mail server cannot be trusted',
  encryption: 'The connection to the mail server could not be encrypted',
  no_mail_server: 'What answered is not a mail server',
}

/** With the code, which an operator searches for. */
function describeProblem(problem: DeliveryProblem | null, { code, originalCode }: Failure): string {
  const words = problem ? descriptions[problem] : 'The connection to the mail server failed'
  const shown = problem === 'unknown_host' ? '' : (originalCode ?? code)
  return shown && /^[A-Z0-9_]{1,60}$/.test(shown) ? `${words} (${shown})` : words
}
