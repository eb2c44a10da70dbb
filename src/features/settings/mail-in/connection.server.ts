import { hash } from 'node:crypto'
import type { Config } from '../../../config.ts'
import type { MailboxRow } from '../../../database/mail-in-tables.ts'
import type { Database } from '../../../database/tables.ts'
import { openMailbox } from '../../../mail/imap.ts'
import { imapSource } from '../../../mail/imap-source.ts'
import type { WatchedMailbox } from '../../../mail/mail-watch.ts'
import { fingerprintOf, readMailbox } from '../../../mail/mailboxes.ts'
import { createGraph } from '../../../mail/microsoft/graph.ts'
import { graphSource } from '../../../mail/microsoft/graph-source.ts'
import type { MicrosoftTokens, StoredSignIn } from '../../../mail/microsoft/sign-in.ts'
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
  return config.imapUrl ? fromUrl(config.imapUrl, config.mailFrom) : await readSaved({ settings })
}

async function readSaved({ settings }: Pick<Dependencies, 'settings'>): Promise<StoredConnection | null> {
  const text = await settings.secret('mail_in')
  return text === '' ? null : (StoredConnection.safeParse(JSON.parse(text)).data ?? null)
}

/** The mailbox of Microsoft 365 that is fetched; null while there is none. */
export async function readMicrosoftMailbox(dependencies: Omit<Dependencies, 'db'>): Promise<string | null> {
  const stored = await readStored(dependencies)
  return stored?.microsoft ? stored.address : null
}

/** The mailbox that is fetched; null while none is connected. */
export async function readMailConnection(dependencies: Dependencies): Promise<MailConnection | null> {
  const stored = await readStored(dependencies)
  if (!stored) return null
  const row = await readMailbox(dependencies.db, fingerprintOf(stored))
  return { ...stored, plusAddresses: row?.plus_addresses !== 0 }
}

interface WatchDependencies extends Omit<Dependencies, 'db'> {
  readonly config: Dependencies['config'] & Pick<Config, 'graphApiUrl'>
  readonly clock: Clock
  readonly tokens: MicrosoftTokens
}

export async function findWatched(dependencies: WatchDependencies): Promise<WatchedMailbox | null> {
  const { config, clock, tokens } = dependencies
  const stored = await readStored(dependencies)
  if (!stored) return null
  const { address, microsoft, password, ...account } = stored
  // A token is replaced all the time, and each sign-in has another time.
  const revision = hash('sha256', JSON.stringify(microsoft ? [address, microsoft] : stored))
  if (microsoft) {
    const { isShared } = microsoft
    return {
      ...{ name: account, address, revision },
      async open({ store, row, signal }) {
        const graph = createGraph(
          { apiUrl: config.graphApiUrl, tokens, clock, signal },
          { address, isShared },
        )
        await graph.assertReadable()
        return graphSource(graph, { store, row }, { clock })
      },
    }
  }
  const isPrivateAllowed = Boolean(config.imapUrl) || config.smtpPrivateHosts
  return {
    ...{ name: account, address, revision },
    async open({ store, row, signal }) {
      const options = { isPrivateAllowed, clock, ...(signal && { signal }) }
      return imapSource(await openMailbox({ ...account, password }, options), store, row)
    },
  }
}

/** Where the sign-in at Microsoft is stored. Emails are sent with it also where `IMAP_URL` says what is fetched. */
export function signInStore({ settings }: { readonly settings: Pick<Settings, 'secret' | 'write'> }) {
  return {
    async read(): Promise<StoredSignIn | null> {
      const stored = await readSaved({ settings })
      if (!stored?.microsoft) return null
      const { address, password: refreshToken, microsoft: app } = stored
      return { address, app, refreshToken, signedInAt: app.signedInAt }
    },
    async replace({ refreshToken: before }: StoredSignIn, refreshToken: string): Promise<void> {
      const stored = await readSaved({ settings })
      if (!stored?.microsoft || stored.password !== before) return
      const next = JSON.stringify({ ...stored, password: refreshToken })
      await settings
        .write('mail_in', next, async transaction => {
          const text = await settings.secret('mail_in', transaction)
          // Of two nodes, the first one counts; and nobody may undo what an admin has changed meanwhile.
          if (text === '' || JSON.parse(text).password !== before) throw new Overtaken()
        })
        .catch(error => {
          if (!(error instanceof Overtaken)) throw error
        })
    },
  }
}

class Overtaken extends Error {}

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
