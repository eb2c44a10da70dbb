import { createHmac, hash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Config } from '../../../config.ts'
import type { Database, Tables } from '../../../database/tables.ts'
import type { Transport } from '../../../mail/transport.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import type { NamedKey } from '../../../platform/keys.ts'
import type { Settings } from '../store.server.ts'
import { SmtpServer, type SmtpView } from './smtp.ts'

export interface MailHealth {
  /** `unproven`: a provider that was put in use without its test, and has not accepted an email yet. */
  readonly state: 'working' | 'unproven' | 'failing'
  /** When it began to fail; null while it does not. */
  readonly since: string | null
  /** In the words of the provider, without addresses. */
  readonly reason: string | null
  /** An email has come through it, or its digits were typed, or the operator chose it. */
  readonly isProven: boolean
}

const WORKING: MailHealth = { state: 'working', since: null, reason: null, isProven: true }

interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly config: Pick<Config, 'smtpUrl'>
  readonly settings: Settings
  /** The first one identifies; all are tried to recognise. */
  readonly keys: readonly [NamedKey, ...NamedKey[]]
}

/** Records for all nodes whether emails come through. */
export function createMailHealth({ db, clock, config, settings, keys }: Dependencies) {
  const [currentKey] = keys
  const fingerprint = (source: MailSource) => hashWith(currentKey, source)

  /** The row of this way. One of another account of the same kind says nothing about it. */
  async function readRow(source: MailSource) {
    if (source.kind === 'mailbox') return undefined
    const row = await db
      .selectFrom('mail_providers')
      .selectAll()
      .where('kind', '=', source.kind)
      .executeTakeFirst()
    const known = ['', ...keys.map(key => hashWith(key, source))]
    return row && known.includes(row.fingerprint) ? row : undefined
  }

  return {
    fingerprint,
    async read(): Promise<MailHealth> {
      const source = await findMailSource(config, settings)
      if (source.kind === 'mailbox') return WORKING
      const row = await readRow(source)
      const isProven = source.kind === 'environment' || Boolean(row?.confirmed_at ?? row?.sent_at)
      if (row?.failing_since)
        return { state: 'failing', since: row.failing_since, reason: row.reason, isProven }
      return isProven ? WORKING : { ...WORKING, state: 'unproven', isProven }
    },
    /** @param failure null when an email came through; otherwise why none does */
    async record(transport: Transport, failure: string | null) {
      if (!transport.fingerprint) return
      const source = await findMailSource(config, settings)
      // It was replaced while the email was on its way, and the outcome says nothing about the provider of now.
      if (source.kind === 'mailbox' || fingerprint(source) !== transport.fingerprint) return
      const row = await readRow(source)
      const isKnown = failure === null ? row?.sent_at && !row.failing_since : row?.reason === redact(failure)
      if (isKnown && row?.fingerprint === transport.fingerprint) return
      const now = isoAfter(clock)
      const next = {
        fingerprint: transport.fingerprint,
        confirmed_at: row?.confirmed_at ?? null,
        sent_at: row?.sent_at ?? (failure === null ? now : null),
        failing_since: failure === null ? null : (row?.failing_since ?? now),
        reason: failure === null ? null : redact(failure),
      }
      await upsert(db, source.kind, next)
    },
    /** Begins again, for a provider that is put in use. */
    async reset(transaction: Database, provider: MailProvider, isConfirmed: boolean) {
      const next = { sent_at: null, failing_since: null, reason: null }
      const confirmed_at = isConfirmed ? isoAfter(clock) : null
      await upsert(transaction, provider.kind, { fingerprint: fingerprint(provider), confirmed_at, ...next })
    },
  }
}

type Kept = Tables['mail_providers']

async function upsert(db: Database, kind: Kept['kind'], row: Omit<Kept, 'kind'>) {
  await db
    .insertInto('mail_providers')
    .values({ kind, ...row })
    .onConflict(conflict => conflict.column('kind').doUpdateSet(row))
    .execute()
}

/** Keyed, because it covers a password that a plain hash would let somebody guess. */
function hashWith({ key }: NamedKey, source: MailSource): string {
  return createHmac('sha256', key).update(JSON.stringify(source)).digest('hex')
}

/** Characters. */
const MAX_REASON = 300

/** What a provider says may name a visitor, whom nobody would find here to erase. */
function redact(reason: string): string {
  return reason.replace(/[^\s<>()"',;:]+@[^\s<>()"',;:]+/g, '…').slice(0, MAX_REASON)
}

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

/** As which mailbox of Microsoft 365 emails are sent, or will be; null when they go another way. */
export async function findSentAs(settings: Settings, from?: Database): Promise<string | null> {
  const waiting = (await readWaiting(settings, from))?.provider
  const servers = [await readSmtpServer(settings, from), waiting?.kind === 'settings' ? waiting.server : null]
  return servers.find(server => server?.provider === 'graph')?.user ?? null
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

export function senderOf({ from, user }: SmtpServer): string {
  return from || user
}

/** Whether somebody has seen that emails can be sent the way they are sent now. */
export function createMailTest(config: Config, settings: Settings) {
  /** Identifies the way in which emails are sent now, with its password or key. */
  const current = async () => hash('sha256', JSON.stringify(await findMailSource(config, settings)))
  return {
    current,
    /** Records that an email was sent in this way. */
    record: async (tested: string) => await settings.write('mail_tested', tested),
    /** Whether one was sent since the way last changed. */
    isPassed: async () => (await settings.secret('mail_tested')) === (await current()),
  }
}
