import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { SettingValues } from '../features/settings/contract.ts'
import type { Settings } from '../features/settings/store.server.ts'
import type { Log } from '../log/logger.ts'
import type { RecaptchaSettings } from './contract.ts'
import { createRecaptcha } from './recaptcha.ts'
import { versionOf } from './token.ts'
import { decide, type Verification } from './verification.ts'

export interface BotCheck {
  /** What a form needs to know to get a token. */
  settings(): Promise<RecaptchaSettings>
  /**
   * Who seems to have sent a form. @param address the client address @param values the settings as they are now, which
   * whoever asks mostly needs as well @throws {Problem} 400 for a token that is missing, forged or used, and for nothing
   * else
   */
  verify(token: string | undefined, address: string, values: SettingValues): Promise<Verification>
}

interface Dependencies {
  readonly config: Pick<Config, 'publicUrl' | 'recaptchaVerifyUrl' | 'recaptchaSiteKey'>
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
}

/** Google's reCAPTCHA, as the settings have it at the moment of each question. */
export function createBotCheck({ config, settings, clock, log }: Dependencies): BotCheck {
  const recaptcha = createRecaptcha({
    verifyUrl: config.recaptchaVerifyUrl,
    hostname: new URL(config.publicUrl).hostname,
    clock,
    log,
  })
  return {
    async settings() {
      return forForms(await settings.read(), config.recaptchaSiteKey)
    },
    async verify(token, address, values) {
      const { enabled, version } = forForms(values, config.recaptchaSiteKey)
      return await decide(enabled, token, token =>
        recaptcha({ token, secret: values.recaptcha_secret_key, version, address }),
      )
    },
  }
}

function forForms(values: SettingValues, builtInSiteKey: string): RecaptchaSettings {
  const siteKey = values.recaptcha_site_key || builtInSiteKey
  return {
    siteKey,
    enabled: values.recaptcha_enabled === 'true',
    version: versionOf(siteKey, values.recaptcha_version),
  }
}
