import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { passwordRules } from './auth/password-rules.ts'

/** All configuration from environment variables, read once by the entry points and passed on as values. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Origin of every link, cookie and origin check, without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  /** `postgres://…`, or null for the SQLite file in `dataDir`. */
  readonly databaseUrl: string | null
  readonly adminEmail: string
  /** Null: a random one is made and printed when the first admin is created. */
  readonly adminPassword: string | null
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** Whether the mail server of the settings may be on this machine or in a private network. */
  readonly smtpPrivateHosts: boolean
  /** How many reverse proxies in front are trusted for the client address. */
  readonly trustProxy: number
  /** Null: kept in `dataDir/secret.key`. */
  readonly secretKey: string | null
  /** The previous key, while values that it encrypted must still be read; null when there is none. */
  readonly secretKeyOld: string | null
  /** The API of Mailchimp Transactional, used once its key is in the settings; without a trailing slash. */
  readonly mailchimpApiUrl: string
  /** Where a bot-check token is verified. */
  readonly recaptchaVerifyUrl: string
  /** The reCAPTCHA site key of pages while the settings have none. */
  readonly recaptchaSiteKey: string
  /** Where to report a vulnerability, as a URI; null: the contact page. */
  readonly securityContact: string | null
  /** Allows clients on other machines to read `/metrics`; null: only clients on this machine. */
  readonly metricsToken: string | null
}

const MAILCHIMP_API_URL = 'https://mandrillapp.com/api/1.0'
const GOOGLE_VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify'
/** Published by Google for testing; every token made with it passes there. */
const GOOGLE_TEST_SITE_KEY = '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI'

/** An environment variable that Landfall cannot start with; the message is one line for the operator. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Environment → Config. @throws {ConfigError} naming the variable and what it accepts. */
export function readConfig(environment: Environment): Config {
  const env = readSecretFiles(environment, message => {
    throw new ConfigError(message)
  })
  const port = integer(env, 'PORT', 3000, 1, 65_535)
  const publicUrl = origin(env, 'PUBLIC_URL', `http://localhost:${port}`)
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
    publicUrl,
    dataDir: text(env, 'DATA_DIR') ?? './data',
    databaseUrl,
    adminEmail: email(env, 'ADMIN_EMAIL', 'admin@localhost.test').toLowerCase(),
    adminPassword: password(env, 'ADMIN_PASSWORD'),
    smtpUrl,
    smtpPrivateHosts: flag(env, 'SMTP_PRIVATE_HOSTS'),
    mailFrom: email(env, 'MAIL_FROM', `no-reply@${new URL(publicUrl).hostname}`),
    trustProxy: integer(env, 'TRUST_PROXY', 0, 0, 10),
    secretKey,
    secretKeyOld: secret(env, 'SECRET_KEY_OLD'),
    mailchimpApiUrl: (url(env, 'MAILCHIMP_API_URL', ['https:', 'http:']) ?? MAILCHIMP_API_URL).replace(
      /\/$/,
      '',
    ),
    recaptchaVerifyUrl: url(env, 'RECAPTCHA_VERIFY_URL', ['https:', 'http:']) ?? GOOGLE_VERIFY_URL,
    recaptchaSiteKey: siteKey(env, 'RECAPTCHA_SITE_KEY', GOOGLE_TEST_SITE_KEY),
    securityContact: contact(env, 'SECURITY_CONTACT'),
    metricsToken,
  }
}

function text(env: Environment, name: string): string | null {
  return env[name]?.trim() || null
}

function secret(env: Environment, name: string): string | null {
  const value = text(env, name)
  if (value === null || value.length >= 32) return value
  throw new ConfigError(`${name} takes at least 32 characters`)
}

/** Under the same rules as a password that is chosen in the portal. The refusal does not repeat it. */
function password(env: Environment, name: string): string | null {
  const value = text(env, name)
  const broken = value === null ? undefined : passwordRules.find(rule => !rule.isSatisfiedBy(value))
  if (!broken) return value
  throw new ConfigError(`${name} takes a password that staff could choose: ${broken.message}`)
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name)
  if (value === null) return fallback
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= min && number <= max) return number
  throw new ConfigError(`${name} takes a whole number from ${min} to ${max}, not "${value}"`)
}

function flag(env: Environment, name: string): boolean {
  const value = text(env, name) ?? 'false'
  if (value === 'true' || value === 'false') return value === 'true'
  throw new ConfigError(`${name} takes true or false, not "${value}"`)
}

function email(env: Environment, name: string, fallback: string): string {
  const value = text(env, name) ?? fallback
  if (isEmail(value)) return value
  throw new ConfigError(`${name} takes one e-mail address, not "${value}"`)
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

function origin(env: Environment, name: string, fallback: string): string {
  const value = text(env, name) ?? fallback
  const parsed = URL.canParse(value) ? new URL(value) : null
  const isOrigin = parsed && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`
  if (isOrigin) return parsed.origin
  throw new ConfigError(
    `${name} takes an origin like https://www.example.com, without a path, not "${value}"`,
  )
}

/** Google's keys are 40 characters today; the bounds only catch a value that is something else. */
function siteKey(env: Environment, name: string, fallback: string): string {
  const value = text(env, name) ?? fallback
  if (/^[\w-]{20,100}$/.test(value)) return value
  throw new ConfigError(
    `${name} takes a site key of 20 to 100 characters (A-Z, a-z, 0-9, - and _), not "${value}"`,
  )
}

function url(env: Environment, name: string, protocols: readonly string[]): string | null {
  const value = text(env, name)
  if (value === null) return null
  // The value may hold a password, so the refusal does not repeat it.
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
  throw new ConfigError(`${name} takes an address that begins with ${protocols.join('// or ')}//`)
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
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
] as const

/**
 * Returns the environment with the contents of the files that it names. An empty file is the same as an empty variable.
 * @param fail throws its argument, one line that names the variable
 */
function readSecretFiles(env: Environment, fail: (message: string) => never): Environment {
  const found: Record<string, string> = {}
  for (const name of secretNames) {
    const path = env[`${name}_FILE`]?.trim()
    if (!path) continue
    if (env[name]?.trim()) fail(`${name} and ${name}_FILE are both set; one of them is enough`)
    found[name] = readSecret(`${name}_FILE`, path, fail)
  }
  return { ...env, ...found }
}

function readSecret(name: string, path: string, fail: (message: string) => never): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return fail(`${name} names a file that cannot be read: ${path} (${code})`)
  }
}
