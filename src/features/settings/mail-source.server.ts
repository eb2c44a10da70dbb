import type { Config } from '../../config.ts'
import { SmtpServer, type SmtpView } from './smtp.ts'
import type { Settings } from './store.server.ts'

/** How emails are sent now. The first that is set wins: Mailchimp key, `SMTP_URL`, mail server of the settings. */
export type MailSource =
  | { readonly kind: 'mailchimp'; readonly key: string }
  | { readonly kind: 'environment'; readonly url: string }
  | { readonly kind: 'settings'; readonly server: SmtpServer }
  | { readonly kind: 'mailbox' }

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
export async function readSmtpServer(settings: Settings): Promise<SmtpServer | null> {
  const text = await settings.secret('smtp')
  return text === '' ? null : SmtpServer.parse(JSON.parse(text))
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
