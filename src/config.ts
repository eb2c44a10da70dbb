import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { passwordRules } from './auth/password-rules.ts'

/** All configuration from environment variables, read once by the entry points and passed on as values. */
export type Config = Readonly<ReturnType<typeof readConfig>>

const MAILCHIMP_API_URL = 'https://mandrillapp.com/api/1.0'
const GRAPH_API_URL = 'https://graph.microsoft.com/v1.0'
const MICROSOFT_LOGIN_URL = 'https://login.microsoftonline.com'
const GOOGLE_VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify'
/** Published by Google for testing; every token made with it passes there. */
const GOOGLE_TEST_SITE_KEY = '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI'

/** An environment variable that Landfall cannot start with; the message is one line for the operator. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Environment → Config. @throws {ConfigError} naming the variable and what it accepts. */
export function readConfig(environment: Environment) {
  const env = readSecretFiles(environment)
  const port = integer(env, 'PORT', 3000, 1, 65_535)
  const anOrigin = 'an origin like https://www.example.com, without a path'
  const publicUrl = new URL(checked(env, 'PUBLIC_URL', `http://localhost:${port}`, isOrigin, anOrigin)).origin
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:'])
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])
  const secretKey = secret(env, 'SECRET_KEY')
  if (smtpUrl && !text(env, 'MAIL_FROM')) {
    throw new ConfigError('MAIL_FROM is required with SMTP_URL: the sender address of every email')
  }
  if (databaseUrl && !secretKey) {
    throw new ConfigError(
      'SECRET_KEY is required with DATABASE_URL: at least 32 characters, the same on every node',
    )
  }
  const metricsToken = text(env, 'METRICS_TOKEN')
  if (metricsToken && !/^[\x21-\x7e]{16,200}$/.test(metricsToken)) {
    throw new ConfigError('METRICS_TOKEN takes 16 to 200 visible ASCII characters')
  }
  return {
    host: text(env, 'HOST') ?? '0.0.0.0',
    port,
    /** Origin of every link, cookie and origin check, without a trailing slash. */
    publicUrl,
    dataDir: text(env, 'DATA_DIR') ?? './data',
    /** `postgres://…`, or null for the SQLite file in `dataDir`. */
    databaseUrl,
    adminEmail: email(env, 'ADMIN_EMAIL', 'admin@localhost.test').toLowerCase(),
    /** Whether the first admin is who the environment says; otherwise a person opens the set-up link. */
    hasFirstAdmin: [text(env, 'ADMIN_EMAIL'), text(env, 'ADMIN_PASSWORD')].some(value => value !== null),
    /** Null: a random one is made and printed when the first admin is created. */
    adminPassword: password(env, 'ADMIN_PASSWORD'),
    smtpUrl,
    /** Whether the mail server of the settings may be on this machine or in a private network. */
    smtpPrivateHosts: checked(env, 'SMTP_PRIVATE_HOSTS', 'false', isFlag, 'true or false') === 'true',
    /** The mailbox that is fetched, instead of that of the settings. */
    imapUrl: url(env, 'IMAP_URL', ['imaps:', 'imap:'], isMailbox, 'imaps://user:password@host:993/INBOX'),
    /** Of a scanner for files; null: nothing is scanned. */
    clamdUrl: clamd(env, 'CLAMD_URL'),
    mailFrom: email(env, 'MAIL_FROM', `no-reply@${new URL(publicUrl).hostname}`),
    /** How many reverse proxies in front are trusted for the client address. */
    trustProxy: integer(env, 'TRUST_PROXY', 0, 0, 10),
    /** Null: kept in `dataDir/secret.key`. */
    secretKey,
    /** The previous key, while values that it encrypted must still be read; null when there is none. */
    secretKeyOld: secret(env, 'SECRET_KEY_OLD'),
    /** The API of Mailchimp Transactional, used once its key is in the settings; without a trailing slash. */
    mailchimpApiUrl: withoutSlash(url(env, 'MAILCHIMP_API_URL', WEB) ?? MAILCHIMP_API_URL),
    /** Microsoft Graph, used once somebody has signed in to Microsoft 365; without a trailing slash, as the next one. */
    graphApiUrl: withoutSlash(url(env, 'GRAPH_API_URL', WEB, isPrivate, GRAPH_API_URL) ?? GRAPH_API_URL),
    microsoftLoginUrl: withoutSlash(
      url(env, 'MICROSOFT_LOGIN_URL', WEB, isPrivate, MICROSOFT_LOGIN_URL) ?? MICROSOFT_LOGIN_URL,
    ),
    /** Where a bot-check token is verified. */
    recaptchaVerifyUrl: url(env, 'RECAPTCHA_VERIFY_URL', WEB) ?? GOOGLE_VERIFY_URL,
    /** The reCAPTCHA site key of pages while the settings have none. */
    recaptchaSiteKey: checked(env, 'RECAPTCHA_SITE_KEY', GOOGLE_TEST_SITE_KEY, isSiteKey, SITE_KEY),
    /** Where to report a vulnerability, as a URI; null: the contact page. */
    securityContact: contact(env, 'SECURITY_CONTACT'),
    /** Allows clients on other machines to read `/metrics`; null: only clients on this machine. */
    metricsToken,
  }
}

const WEB = ['https:', 'http:']
/** Nothing goes over a network in clear text. */
const isPrivate = ({ protocol, hostname }: URL) => protocol === 'https:' || isLoopback(hostname)
const withoutSlash = (address: string) => address.replace(/\/$/, '')
const isFlag = (value: string) => value === 'true' || value === 'false'
/** Google's keys are 40 characters today; the bounds only catch a value that is something else. */
const isSiteKey = (value: string) => /^[\w-]{20,100}$/.test(value)
const SITE_KEY = 'a site key of 20 to 100 characters (A-Z, a-z, 0-9, - and _)'

function text(env: Environment, name: string): string | null {
  return env[name]?.trim() || null
}

function secret(env: Environment, name: string): string | null {
  const value = text(env, name)
  if (value === null || value.length >= 32) return value
  throw new ConfigError(`${name} takes at least 32 characters`)
}

/** Where clamd listens. It sends nothing back but what it finds, and gets all files: no secret stands in it. */
function clamd(env: Environment, name: string): string | null {
  const value = text(env, name)
  const isRight = value === null || /^(?:tcp:\/\/[^\s/:@]+:\d{1,5}|unix:\/[^\s]+)$/.test(value)
  if (isRight) return value
  throw new ConfigError(`${name} takes tcp://host:port or unix:/path, not "${value}"`)
}

/** Under the same rules as a password that is chosen in the portal. The refusal does not repeat it. */
function password(env: Environment, name: string): string | null {
  const value = text(env, name)
  const broken = value === null ? undefined : passwordRules.find(rule => !rule.isSatisfiedBy(value))
  if (!broken) return value
  throw new ConfigError(`${name} takes a password that staff could choose: ${broken.message}`)
}

/** @param what it takes, in words @throws {ConfigError} which repeats the value */
function checked(
  env: Environment,
  name: string,
  fallback: string,
  isRight: (value: string) => boolean,
  what: string,
): string {
  const value = text(env, name) ?? fallback
  if (isRight(value)) return value
  throw new ConfigError(`${name} takes ${what}, not "${value}"`)
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const isRight = (value: string) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
  return Number(checked(env, name, String(fallback), isRight, `a whole number from ${min} to ${max}`))
}

function email(env: Environment, name: string, fallback: string): string {
  return checked(env, name, fallback, isEmail, 'one e-mail address')
}

const isEmail = (value: string) => /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(value)

/** An email address or a page, as a URI for security.txt (RFC 9116). */
function contact(env: Environment, name: string): string | null {
  const value = text(env, name)
  if (value === null) return null
  if (/^[\x21-\x7e]+$/.test(value) && /^https:\/\/./.test(value) && URL.canParse(value)) return value
  if (/^[\x21-\x7e]+$/.test(value) && isEmail(value)) return `mailto:${value}`
  throw new ConfigError(`${name} takes one e-mail address or an address that begins with https://`)
}

function isOrigin(value: string): boolean {
  const parsed = URL.parse(value)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`
}

function url(
  env: Environment,
  name: string,
  protocols: readonly string[],
  isRight: (parsed: URL) => boolean = () => true,
  example = '',
): string | null {
  const value = text(env, name)
  if (value === null) return null
  // The value may hold a password, so the refusal does not repeat it.
  const parsed = URL.parse(value)
  if (parsed && protocols.includes(parsed.protocol) && isRight(parsed)) return value
  const such = example && `, such as ${example}`
  throw new ConfigError(`${name} takes an address that begins with ${protocols.join('// or ')}//${such}`)
}

/** With somebody who signs in: there is no mailbox without. */
const isMailbox = ({ hostname, username, password, pathname }: URL) =>
  Boolean(hostname && username && password) && [username, password, pathname].every(isEncoded)

function isEncoded(text: string): boolean {
  try {
    // A call whose result is not used is left out of the build.
    return text === '' || decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}

/**
 * Returns a warning for the operator when proxies are trusted but the port may be reachable without them: a client that
 * reaches it directly chooses the address that rate limits count.
 */
export function proxyWarning({ host, port, trustProxy }: Pick<Config, 'host' | 'port' | 'trustProxy'>) {
  if (trustProxy === 0 || isLoopback(host)) return null
  return `TRUST_PROXY is ${trustProxy} and HOST is ${host}: port ${port} must not be reachable except through the proxy, or anyone can choose the client address that rate limits count. Set HOST=127.0.0.1 if the proxy runs on this machine, or close the port to everyone else.`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** Variables with a secret value, which may be kept in a file instead: `SECRET_KEY_FILE` and so on. */
export const secretNames = [
  'SECRET_KEY',
  'SECRET_KEY_OLD',
  'DATABASE_URL',
  'SMTP_URL',
  'IMAP_URL',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
] as const

/** The environment with the contents of the files that it names. An empty file is the same as an empty variable. */
function readSecretFiles(env: Environment): Environment {
  const found: Record<string, string> = {}
  for (const name of secretNames) {
    const path = env[`${name}_FILE`]?.trim()
    if (!path) continue
    if (env[name]?.trim())
      throw new ConfigError(`${name} and ${name}_FILE are both set; one of them is enough`)
    found[name] = readSecret(`${name}_FILE`, path)
  }
  return { ...env, ...found }
}

function readSecret(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError(`${name} names a file that cannot be read: ${path} (${code})`)
  }
}
