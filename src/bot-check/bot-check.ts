import type { Config } from '../config.ts'
import type { PublicValues } from '../features/settings/contract.ts'
import type { Settings } from '../features/settings/store.server.ts'
import { throwHttpError } from '../http/http-error.ts'
import { replies } from '../i18n/texts.ts'
import type { Log } from '../log/logger.ts'
import type { Clock } from '../platform/clock.ts'
import type { RecaptchaSettings } from './contract.ts'
import { createRecaptcha, type ProviderResult } from './recaptcha.ts'
import { NO_SCRIPT_TOKEN, placeholders, versionOf } from './token.ts'

export type BotCheck = ReturnType<typeof createBotCheck>

interface Dependencies {
  readonly config: Pick<Config, 'publicUrl' | 'recaptchaVerifyUrl' | 'recaptchaSiteKey'>
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
}

/** Google's reCAPTCHA, with the settings at the time of each call. */
export function createBotCheck({ config, settings, clock, log }: Dependencies) {
  const recaptcha = createRecaptcha({
    verifyUrl: config.recaptchaVerifyUrl,
    hostname: new URL(config.publicUrl).hostname,
    clock,
    log,
  })
  return {
    /** The settings that a form needs to get a token. */
    async settings() {
      return formSettings(await settings.publicValues(), config.recaptchaSiteKey)
    },
    /**
     * Checks the token of a form. @param address the client address @param values the current settings, which callers have
     * read already @throws {HttpError} 400 only for a token that is missing, forged or used
     */
    async verify(token: string | undefined, address: string, values: PublicValues) {
      const { enabled, version } = formSettings(values, config.recaptchaSiteKey)
      return await decide(enabled, token, async token => {
        const secret = await settings.secret('recaptcha_secret_key')
        return await recaptcha({ token, secret, version, address })
      })
    },
  }
}

function formSettings(values: PublicValues, builtInSiteKey: string): RecaptchaSettings {
  const siteKey = values.recaptcha_site_key || builtInSiteKey
  return {
    siteKey,
    enabled: values.recaptcha_enabled === 'true',
    version: versionOf(siteKey, values.recaptcha_version),
  }
}

/**
 * The result of the bot check, as it is stored with the message. The last two have the reason or the low score.
 */
export type Verification = 'off' | 'verified' | `unverified:${string}` | `suspect:${number}`

/** Google's suggestion: a v3 score of at least this counts as a person. */
const MIN_SCORE = 0.5

/** Why a form could not get a token; null for anything that may be a real one. */
export function placeholderReason(token: string): string | null {
  if (token === NO_SCRIPT_TOKEN) return 'unavailable_nojs'
  return Object.entries(placeholders).find(([, prefix]) => token.startsWith(prefix))?.[0] ?? null
}

/**
 * The whole rule. Only a missing, forged or used token is rejected; a sender who cannot be verified for any other reason
 * is accepted and marked. @param ask sends a token to the provider @throws {HttpError} 400
 */
async function decide(
  isEnabled: boolean,
  token: string | undefined,
  ask: (token: string) => Promise<ProviderResult>,
): Promise<Verification> {
  if (!isEnabled) return 'off'
  if (!token) return throwTokenError()
  const reason = placeholderReason(token)
  if (reason) return `unverified:${reason}`
  const result = await ask(token)
  if (result.kind === 'refused') return throwTokenError()
  if (result.kind === 'unknown') return `unverified:${result.reason}`
  if (result.score !== null && result.score < MIN_SCORE) return `suspect:${result.score}`
  return 'verified'
}

/** Whether a message with this result counts against the tighter limits. */
export function isUnverified(verification: Verification): boolean {
  return verification !== 'off' && verification !== 'verified'
}

/** Rejects a form without a valid token. @throws {HttpError} 400 */
export function throwTokenError(): never {
  throwHttpError(400, replies.recaptchaToken, { errors: { recaptchaToken: replies.recaptchaToken } })
}
