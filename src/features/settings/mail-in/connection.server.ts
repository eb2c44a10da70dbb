import type { Config } from '../../../config.ts'
import type { MailboxRow } from '../../../database/mail-in-tables.ts'
import type { Database } from '../../../database/tables.ts'
import type { WatchedMailbox } from '../../../mail/mail-watch.ts'
import { fingerprintOf, readMailbox } from '../../../mail/mailboxes.ts'
import { type Clock, isoAfter, minutes } from '../../../platform/clock.ts'
import type { Settings } from '../store.server.ts'
import { imapPorts, type MailConnection, StoredConnection } from './contract.ts'

interface Dependencies {
  readonly db: Database
  readonly config: Pick<Config, 'imapUrl' | 'mailFrom' | 'smtpPrivateHosts'>
  readonly settings: Pick<Settings, 'secret'>
}

/** Mail that has not been looked for as long as this is an alert. */
const ALERT = minutes(15)

/** The mailbox of the environment or of the settings, with its password; null while none is connected. */
export async function readStored({
  config,
  settings,
}: Omit<Dependencies, 'db'>): Promise<StoredConnection | null> {
  if (config.imapUrl) return fromUrl(config.imapUrl, config.mailFrom)
  const text = await settings.secret('mail_in')
  return text === '' ? null : (StoredConnection.safeParse(JSON.parse(text)).data ?? null)
}

/** The mailbox that is fetched; null while none is connected. */
export async function readMailConnection(dependencies: Dependencies): Promise<MailConnection | null> {
  const stored = await readStored(dependencies)
  if (!stored) return null
  const row = await readMailbox(dependencies.db, fingerprintOf(stored))
  return { ...stored, plusAddresses: row?.plus_addresses !== 0 }
}

export async function findWatched(dependencies: Omit<Dependencies, 'db'>): Promise<WatchedMailbox | null> {
  const { config } = dependencies
  const stored = await readStored(dependencies)
  if (!stored || stored.provider === 'microsoft') return null
  const { address, provider: _, ...account } = stored
  return { account, address, isPrivateAllowed: Boolean(config.imapUrl) || config.smtpPrivateHosts }
}

/** `imaps://user:password@host:993/INBOX`: the configuration has been checked. */
function fromUrl(text: string, mailFrom: string): StoredConnection {
  const url = new URL(text)
  const security = url.protocol === 'imaps:' ? 'tls' : 'starttls'
  const user = decodeURIComponent(url.username)
  return {
    provider: 'imap',
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || imapPorts[security],
    security,
    user,
    password: decodeURIComponent(url.password),
    folder: decodeURIComponent(url.pathname.slice(1)) || 'INBOX',
    address: user.includes('@') ? user : mailFrom,
  }
}

/** Since when no mail was fetched, if that is an alert. No node may be trying, so the failures do not say it. */
export function noMailSince(row: MailboxRow | undefined, clock: Clock): string | null {
  const last = row && (row.last_fetched_at ?? row.connected_at)
  return last && last <= isoAfter(clock, -ALERT) ? last : null
}

export async function readNoMailSince(
  dependencies: Dependencies & { readonly clock: Clock },
): Promise<string | null> {
  const stored = await readStored(dependencies)
  if (!stored) return null
  return noMailSince(await readMailbox(dependencies.db, fingerprintOf(stored)), dependencies.clock)
}
