import * as z from 'zod/mini'
import { endpoint } from '../http/endpoint.ts'
import { Nothing } from '../http/fields.ts'

/** What a form needs to know; the secret key is no part of it. */
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
    input: Nothing,
    reply: z.object({ recaptcha: RecaptchaSettings }),
    // An admin who switches the check on waits this long at most until every form knows.
    maxAge: 60,
  }),
}
