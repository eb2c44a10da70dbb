import { join } from 'node:path'
import { type BotCheck, createBotCheck } from './bot-check/bot-check.ts'
import type { Config } from './config.ts'
import { hidesSamples } from './content/claims/samples.ts'
import { createFirstContent, type FirstSite, type Samples } from './content/first-content.server.ts'
import { type ContentStore, openContentStore } from './content/store.server.ts'
import { isPostgres } from './database/engine.ts'
import { openDatabase, sqliteFile } from './database/open.ts'
import { createSharedClock, type OtherClocks, type SharedClock } from './database/shared-clock.ts'
import { startWalTruncation } from './database/sqlite/truncate-wal.ts'
import type { Database } from './database/tables.ts'
import { createErasedList, type ErasedList } from './erasure/erased-list.ts'
import { createMailboxSweep, type MailboxSweep } from './erasure/mailbox-sweep.ts'
import { createDatabaseLogger } from './features/logs/database-sink.server.ts'
import { defaultSettings } from './features/settings/contract.ts'
import {
  createMailHealth,
  createMailTest,
  findMailSource,
  type MailHealthRecord,
  type MailSource,
  type MailTest,
  senderOf,
} from './features/settings/mail/mail-health.server.ts'
import { openSettings, type Settings } from './features/settings/store.server.ts'
import { createPostgresRateLimiter } from './http/limits/postgres-rate-limiter.ts'
import { createMemoryRateLimiter, type RateLimiter } from './http/limits/rate-limiter.ts'
import { createHttpMetrics, type HttpMetrics } from './http/metrics/http-metrics.ts'
import { DEFAULT_LANGUAGE, type Language, type Texts, textsFor } from './i18n/texts.ts'
import { createLiveStreams, type LiveStreams } from './live/streams.server.ts'
import type { AuditLog } from './log/logger.ts'
import type { EmailSignature } from './mail/email.ts'
import { createMail, type Mail } from './mail/mail.ts'
import { mailchimpTransport } from './mail/mailchimp.ts'
import { mailboxTransport } from './mail/mime.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { accountTransport, smtpTransport } from './mail/smtp.ts'
import { type Transport, transportCache } from './mail/transport.ts'
import { openPictures, type Pictures } from './pictures/pictures.server.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Keys, openKeys } from './platform/keys.ts'
import { samplePages } from './sample/pages.server.ts'
import { sampleContent } from './sample/site.server.ts'

/** The services that features share. */
export interface Services {
  readonly config: Config
  readonly clock: Clock
  readonly sharedClock: SharedClock
  readonly log: AuditLog
  /** Writes waiting log entries to the database; never fails. */
  flushLog(): Promise<void>
  readonly db: Database
  readonly keys: Keys
  readonly settings: Settings
  /** The content of public pages, emails and search results. */
  readonly content: ContentStore
  readonly botCheck: BotCheck
  /** For limits of client addresses and accounts: shared by all nodes with the same database. */
  readonly rateLimiter: RateLimiter
  /** For limits of this process's own work. */
  readonly localRateLimiter: RateLimiter
  /** Counts requests. */
  readonly httpMetrics: HttpMetrics
  /** Data that was erased and that a restore must not bring back. */
  readonly erased: ErasedList
  /** Deletes emails about erased data from the local mailbox. */
  readonly mailboxSweep: MailboxSweep
  /** Writes a line to the console and nowhere else: what no log may hold, or what an operator must see. */
  print(line: string): void
  readonly mail: Mail
  readonly mailTest: MailTest
  readonly mailHealth: MailHealthRecord
  /** Sends emails in this way, whether or not it is in use. */
  transportOf(source: MailSource): Transport
  readonly outbox: Outbox
  readonly pictures: Pictures
  /** The open event streams. */
  readonly streams: LiveStreams
  /** The texts of pages and emails in a language. */
  textsFor(language: Language): Texts
  /** The signature and texts of emails from this agency; those to staff have the default language. */
  emailSignature(siteName: string, language?: Language): EmailSignature
  close(): Promise<void>
}

/** Parts that tests and scripts may replace. */
export interface Dependencies {
  readonly clock?: Clock
  readonly otherClocks?: OtherClocks
  readonly botCheck?: BotCheck
  readonly print?: (text: string) => void
  /** The content of a new installation; the sample by default. */
  readonly content?: FirstSite
  /** The further pages of a new installation; the sample by default. */
  readonly samples?: Samples
  readonly textsFor?: (language: Language) => Texts
  /** Whether samples are hidden from visitors. By default they are hidden on https. */
  readonly hidesSamples?: boolean
  /** Milliseconds between the checks of an open event stream. */
  readonly beat?: number
}

/** Opens all services. Nothing is sent before `outbox.start()`. */
export async function openServices(config: Config, dependencies: Dependencies = {}): Promise<Services> {
  const { clock = systemClock, print = text => process.stdout.write(text) } = dependencies
  const db = await openDatabase(config)
  const sharedClock = createSharedClock(db, clock, dependencies.otherClocks)
  await sharedClock.synchronise()
  const { log, flush: flushLog } = createDatabaseLogger(db, clock, print)
  const { content: firstContent = sampleContent, samples = samplePages } = dependencies
  await createFirstContent(db, clock, firstContent, samples)
  const content = await openContentStore(
    { db, clock, log },
    dependencies.hidesSamples ?? hidesSamples(config.publicUrl),
  )
  const keys = openKeys(config)
  const defaults = () => {
    const { siteName, phone } = content.read().site.company
    return defaultSettings({ form_email: config.adminEmail, site_name: siteName, contact_phone: phone })
  }
  const settings = openSettings({ db, clock, log, keys: keys.settings }, defaults)
  const mailHealth = createMailHealth({ db, clock, config, settings, keys: keys.mailProvider })
  const transportOf = openTransports({ config, clock, print, mailHealth })
  const cached = transportCache()
  const mail = createMail({
    // Read for each email, so that a change applies to the next one on every node.
    async choose() {
      const source = await findMailSource(config, settings)
      return cached(JSON.stringify(source), () => transportOf(source))
    },
    record: mailHealth.record,
    from: config.mailFrom,
    clock,
    log,
  })
  const outbox = createOutbox({ db, mail, clock, sharedClock, log })
  const { botCheck = createBotCheck({ config, settings, clock, log }) } = dependencies
  const { textsFor: translate = textsFor } = dependencies
  const pictures = openPictures(db, config.publicUrl, clock, content)
  const streams = createLiveStreams({ db, clock, log, databaseUrl: config.databaseUrl }, dependencies.beat)
  const localRateLimiter = createMemoryRateLimiter(clock)
  const mailboxSweep = createMailboxSweep(join(config.dataDir, 'mail'), { db, keys: keys.erased, log })
  const writeAheadLog = isPostgres(db) ? null : startWalTruncation(sqliteFile(config), log)
  const services: Services = {
    config,
    clock,
    sharedClock,
    log,
    flushLog,
    db,
    keys,
    settings,
    content,
    botCheck,
    rateLimiter: isPostgres(db) ? createPostgresRateLimiter(db, clock) : localRateLimiter,
    localRateLimiter,
    httpMetrics: createHttpMetrics(),
    erased: createErasedList(clock, keys.erased),
    mailboxSweep,
    print: line => print(`${line}\n`),
    mail,
    mailTest: createMailTest(config, settings),
    mailHealth,
    transportOf,
    outbox,
    pictures,
    streams,
    textsFor: translate,
    emailSignature(siteName, language = DEFAULT_LANGUAGE) {
      const { name, registrationNumber } = content.read().content.agent
      return { texts: translate(language), siteName, agent: name, registrationNumber }
    },
    async close() {
      await streams.close()
      content.close()
      await pictures.encoder.close()
      await outbox.stop()
      await mailboxSweep.stop()
      await flushLog()
      await writeAheadLog?.stop()
      await db.destroy()
    },
  }
  return services
}

interface TransportDependencies {
  readonly config: Config
  readonly clock: Clock
  readonly mailHealth: MailHealthRecord
  print(text: string): void
}

function openTransports({ config, clock, print, mailHealth }: TransportDependencies) {
  const mailbox = mailboxTransport(join(config.dataDir, 'mail'), clock, line => print(`${line}\n`))

  function open(source: Exclude<MailSource, { kind: 'mailbox' }>): Transport {
    if (source.kind === 'mailchimp') return mailchimpTransport(config.mailchimpApiUrl, source.key)
    if (source.kind === 'environment') return smtpTransport(source.url)
    return accountTransport(source.server, config.smtpPrivateHosts, senderOf(source.server))
  }

  return (source: MailSource): Transport =>
    source.kind === 'mailbox' ? mailbox : { ...open(source), fingerprint: mailHealth.fingerprint(source) }
}
