import * as z from 'zod/mini'
import { Empty } from '../http/common-schemas.ts'
import { endpoint } from '../http/endpoint.ts'
import { replies } from '../i18n/texts.ts'

/** Bytes. Google's tokens have about 2 KB; a longer one is never valid. */
const MAX_TOKEN = 4096

const utf8 = new TextEncoder()

/** The bot-check token of a form: any text of a plausible size, for the provider to verify. */
export const BotCheckToken = z.string(replies.recaptchaToken).check(
  z.maxLength(MAX_TOKEN, replies.recaptchaToken),
  z.refine(text => utf8.encode(text).length <= MAX_TOKEN, replies.recaptchaToken),
)

/** The settings that a form needs to get a token. Never the secret key. */
const RecaptchaSettings = z.object({
  siteKey: z.string(),
  enabled: z.boolean(),
  version: z.enum(['v2', 'v3']),
})
export type RecaptchaSettings = z.output<typeof RecaptchaSettings>

export const botCheck = {
  read: endpoint({
    method: 'GET',
    path: '/api/public/recaptcha',
    access: 'public',
    summary: 'Get the settings of the bot check',
    input: Empty,
    reply: z.object({ recaptcha: RecaptchaSettings }),
    // After a change of the settings, all forms have the new ones within this time.
    maxAge: 60,
  }),
}
