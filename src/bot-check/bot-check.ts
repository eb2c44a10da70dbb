import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { PublicValues } from '../features/settings/contract.ts'
import type { Settings } from '../features/settings/store.server.ts'
import type { Log } from '../log/logger.ts'
import type { RecaptchaSettings } from './contract.ts'
import { createRecaptcha } from './recaptcha.ts'
import { versionOf } from './token.ts'
import { decide, type Verification } from './verification.ts'

export interface BotCheck {
  /** What a form needs to get a token. */
  settings(): Promise<RecaptchaSettings>
  /**
   * Checks the token of a form. @param address the client address @param values the current settings, which callers have
   * read already @throws {HttpError} 400 only for a token that is missing, forged or used
   */
  verify(token: string | undefined, address: string, values: PublicValues): Promise<Verification>
}

interface Dependencies {
  readonly config: Pick<Config, 'publicUrl' | 'recaptchaVerifyUrl' | 'recaptchaSiteKey'>
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
}

/** Google's reCAPTCHA, with the settings at the time of each call. */
export function createBotCheck({ config, settings, clock, log }: Dependencies): BotCheck {
  const recaptcha = createRecaptcha({
    verifyUrl: config.recaptchaVerifyUrl,
    hostname: new URL(config.publicUrl).hostname,
    clock,
    log,
  })
  return {
    async settings() {
      return formSettings(await settings.publicValues(), config.recaptchaSiteKey)
    },
    async verify(token, address, values) {
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
