import * as z from 'zod/mini'
import type { Settings } from '../store.server.ts'

export const mailInProviders = ['imap', 'google', 'microsoft'] as const

/** The mailbox that is fetched, as the encrypted setting `mail_in` holds it in JSON. */
export const MailConnection = z.object({
  provider: z.enum(mailInProviders),
  /** Empty for Microsoft, as the next three. */
  host: z.string(),
  port: z.number(),
  security: z.enum(['tls', 'starttls']),
  user: z.string(),
  password: z.string(),
  /** The email address of the mailbox, to which visitors and staff answer. */
  address: z.string(),
  /** Whether mail to `name+anything@` reaches it: a test of the set-up says so. */
  plusAddresses: z.boolean(),
})
export type MailConnection = z.output<typeof MailConnection>

/** The mailbox that is fetched; null while none is connected. */
export async function readMailConnection(settings: Pick<Settings, 'secret'>): Promise<MailConnection | null> {
  const stored = await settings.secret('mail_in')
  return stored === '' ? null : (MailConnection.safeParse(JSON.parse(stored)).data ?? null)
}
