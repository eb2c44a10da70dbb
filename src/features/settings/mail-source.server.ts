import * as z from 'zod/mini'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/tables.ts'
import { SmtpServer, type SmtpView } from './smtp.ts'
import type { Settings } from './store.server.ts'

/** A way of sending emails that admins enter in the portal. */
export const MailProvider = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('mailchimp'), key: z.string() }),
  z.object({ kind: z.literal('settings'), server: SmtpServer }),
])
export type MailProvider = z.output<typeof MailProvider>

/** How emails are sent now. The first that is set wins: Mailchimp key, `SMTP_URL`, mail server of the settings. */
export type MailSource =
  | MailProvider
  | { readonly kind: 'environment'; readonly url: string }
  | { readonly kind: 'mailbox' }

/** A provider that is saved and not in use before the digits of its test email have come back. */
const WaitingProvider = z.object({ id: z.string(), provider: MailProvider })
export type WaitingProvider = z.output<typeof WaitingProvider>

export async function findMailSource(
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  settings: Settings,
): Promise<MailSource> {
  const key = await settings.secret('mailchimp_transactional_api_key')
  if (key) return { kind: 'mailchimp', key }
  if (smtpUrl) return { kind: 'environment', url: smtpUrl }
  const server = await readSmtpServer(settings)
  return server ? { kind: 'settings', server } : { kind: 'mailbox' }
}

/** The mail server of the settings with its password, or null. Read it where it is used and do not keep it. */
export async function readSmtpServer(settings: Settings, from?: Database): Promise<SmtpServer | null> {
  const text = await settings.secret('smtp', from)
  return text === '' ? null : SmtpServer.parse(JSON.parse(text))
}

export async function readWaiting(settings: Settings, from?: Database): Promise<WaitingProvider | null> {
  const text = await settings.secret('mail_waiting', from)
  return text === '' ? null : WaitingProvider.parse(JSON.parse(text))
}

/** The mail server and the key that were entered last, whether or not they are in use. */
export async function readSaved(settings: Settings) {
  const waiting = (await readWaiting(settings))?.provider
  return {
    server: waiting?.kind === 'settings' ? waiting.server : await readSmtpServer(settings),
    key:
      waiting?.kind === 'mailchimp' ? waiting.key : await settings.secret('mailchimp_transactional_api_key'),
  }
}

/** Without the password, of which nothing is shown: people choose passwords whose last characters say too much. */
export function withoutPassword(server: SmtpServer | null): SmtpView | null {
  if (!server) return null
  const { password, ...shown } = server
  return { ...shown, hasPassword: password !== '' }
}

/** The address that the emails of this mail server come from. */
export function senderOf({ from, user }: SmtpServer): string {
  return from || user
}
