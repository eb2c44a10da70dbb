import { join } from 'node:path'
import { createFileSpace, readContents } from './attachments/store.server.ts'
import { type BotCheck, createBotCheck } from './bot-check/bot-check.ts'
import type { Config } from './config.ts'
import { emailColours, own } from './content/brand/tokens.ts'
import { hidesSamples } from './content/claims/samples.ts'
import {
  createFirstContent,
  type FirstSite,
  moveFormerSettings,
  type Samples,
} from './content/first-content.server.ts'
import { openContentStore } from './content/store.server.ts'
import { isPostgres } from './database/engine.ts'
import { openDatabase, sqliteFile } from './database/open.ts'
import { createSharedClock, type otherClocks } from './database/shared-clock.ts'
import { startWalTruncation } from './database/sqlite/truncate-wal.ts'
import { createErasedList } from './erasure/erased-list.ts'
import { createMailboxSweep } from './erasure/mailbox-sweep.ts'
import { createMailParser } from './features/inbox/mail-in/mail-parser.server.ts'
import { createDatabaseLogger } from './features/logs/database-sink.server.ts'
import { defaultSettings, toBytes } from './features/settings/contract.ts'
import {
  createMailHealth,
  createMailTest,
  findMailSource,
  type MailSource,
  senderOf,
} from './features/settings/mail/mail-health.server.ts'
import {
  findWatched,
  readMailConnection,
  signInStore,
} from './features/settings/mail-in/connection.server.ts'
import { openSettings } from './features/settings/store.server.ts'
import { newLinkToken } from './features/status/tokens.server.ts'
import { createPostgresRateLimiter } from './http/limits/postgres-rate-limiter.ts'
import { createMemoryRateLimiter } from './http/limits/rate-limiter.ts'
import { createHttpMetrics } from './http/metrics/http-metrics.ts'
import { DEFAULT_LANGUAGE, type Language, type Texts, textsFor } from './i18n/texts.ts'
import { createLiveStreams } from './live/streams.server.ts'
import type { EmailSignature } from './mail/email.ts'
import { createMail } from './mail/mail.ts'
import { MailboxFailure } from './mail/mail-source.ts'
import { createMailWatch } from './mail/mail-watch.ts'
import { mailchimpTransport } from './mail/mailchimp.ts'
import { createGraph } from './mail/microsoft/graph.ts'
import { graphTransport } from './mail/microsoft/graph-transport.ts'
import { createMicrosoftSignIn, createMicrosoftTokens } from './mail/microsoft/sign-in.ts'
import { mailboxTransport } from './mail/mime.ts'
import { createOutbox } from './mail/outbox.ts'
import { accountTransport, smtpTransport } from './mail/smtp.ts'
import type { Transport } from './mail/transport.ts'
import { isTrialId } from './mail/trial-email.ts'
import { openPictures } from './pictures/pictures.server.ts'
import { readLogo } from './pictures/store.server.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { openKeys } from './platform/keys.ts'
import { samplePages } from './sample/pages.server.ts'
import { sampleContent } from './sample/site.server.ts'

/** The services that features share. */
export type Services = Awaited<ReturnType<typeof openServices>>

/** Parts that tests and scripts may replace. */
export interface Dependencies {
  readonly clock?: Clock
  readonly otherClocks?: typeof otherClocks
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
export async function openServices(config: Config, dependencies: Dependencies = {}) {
  const { clock = systemClock, print = text => process.stdout.write(text) } = dependencies
  const db = await openDatabase(config)
  const sharedClock = createSharedClock(db, clock, dependencies.otherClocks)
  await sharedClock.synchronise()
  const { log, flush: flushLog } = createDatabaseLogger(db, clock, print)
  const { content: firstContent = sampleContent, samples = samplePages } = dependencies
  await createFirstContent(db, clock, firstContent, samples)
  await moveFormerSettings(db, clock)
  const content = await openContentStore(
    { db, clock, log },
    dependencies.hidesSamples ?? hidesSamples(config.publicUrl),
    new URL(config.publicUrl).hostname,
  )
  const keys = openKeys(config)
  const defaults = () => {
    const { siteName, phone } = content.read().site.company
    return defaultSettings({ form_email: config.adminEmail, site_name: siteName, contact_phone: phone ?? '' })
  }
  const settings = openSettings({ db, clock, log, keys: keys.settings }, defaults)
  const mailHealth = createMailHealth({ db, clock, config, settings, keys: keys.mailProvider })
  const mailbox = mailboxTransport(join(config.dataDir, 'mail'), clock, line => print(`${line}\n`))
  const signIn = createMicrosoftSignIn(config.microsoftLoginUrl, { clock })
  const store = signInStore({ settings })
  const tokens = createMicrosoftTokens({ signIn, clock, log, ...store })
  /** Sends as the mailbox that somebody has signed in to. */
  const microsoftTransport = (address: string) =>
    graphTransport(async signal => {
      const signedIn = await store.read()
      if (signedIn?.address !== address) throw new MailboxFailure(NOT_SIGNED_IN, 'consent')
      const { isShared } = signedIn.app
      return createGraph({ apiUrl: config.graphApiUrl, tokens, clock, signal }, { address, isShared })
    }, address)
  /** Sends emails in this way, whether or not it is in use. */
  const transportOf = (source: MailSource): Transport =>
    source.kind === 'mailbox'
      ? mailbox
      : {
          ...(source.kind === 'settings' && source.server.provider === 'graph'
            ? microsoftTransport(source.server.user)
            : openTransport(config, source)),
          fingerprint: mailHealth.fingerprint(source),
        }
  let last: { readonly account: string; readonly transport: Transport } | null = null
  const mail = createMail({
    // Read for each email, so that a change applies to the next one on every node.
    async choose() {
      const source = await findMailSource(config, settings)
      const account = JSON.stringify(source)
      // The same account is the same transport, and has one circuit breaker.
      if (last?.account !== account) last = { account, transport: transportOf(source) }
      return last.transport
    },
    record: mailHealth.record,
    readLogo: async id => await readLogo(db, id),
    readFiles: async ids => await readContents(db, ids),
    newStatusToken: (id, to) => newLinkToken({ db, clock }, id, to),
    from: config.mailFrom,
    clock,
    log,
  })
  const outbox = createOutbox({ db, mail, clock, sharedClock, log })
  const mailWatch = createMailWatch({
    ...{ db, clock, sharedClock, log },
    find: () => findWatched({ config, settings, clock, tokens }),
    isTrial: id => isTrialId(keys.mailTest, id),
  })
  const { botCheck = createBotCheck({ config, settings, clock, log }) } = dependencies
  const { textsFor: translate = textsFor } = dependencies
  const pictures = openPictures(db, config.publicUrl, clock, content)
  const streams = createLiveStreams({ db, clock, log, databaseUrl: config.databaseUrl }, dependencies.beat)
  const localRateLimiter = createMemoryRateLimiter(clock)
  const mailParser = createMailParser()
  const mailboxSweep = createMailboxSweep(join(config.dataDir, 'mail'), { db, keys: keys.erased, log })
  const writeAheadLog = isPostgres(db) ? null : startWalTruncation(sqliteFile(config), log)
  return {
    config,
    clock,
    sharedClock,
    log,
    /** Writes waiting log entries to the database; never fails. */
    flushLog,
    db,
    keys,
    settings,
    /** The content of public pages, emails and search results. */
    content,
    botCheck,
    /** For limits of client addresses and accounts: shared by all nodes with the same database. */
    rateLimiter: isPostgres(db) ? createPostgresRateLimiter(db, clock) : localRateLimiter,
    /** For limits of this process's own work. */
    localRateLimiter,
    httpMetrics: createHttpMetrics(),
    /** Data that was erased and that a restore must not bring back. */
    erased: createErasedList(clock, keys.erased),
    /** Deletes emails about erased data from the local mailbox. */
    mailboxSweep,
    /** Writes a line to the console and nowhere else: what no log may hold, or what an operator must see. */
    print: (line: string) => print(`${line}\n`),
    mail,
    fileSpace: createFileSpace(db, clock, async () => toBytes(await settings.publicValues())),
    /** The mailbox that is fetched; null while none is connected. */
    mailConnection: () => readMailConnection({ db, config, settings }),
    /** Reads what comes by mail, in a thread of its own. */
    mailParser,
    mailTest: createMailTest(config, settings),
    mailHealth,
    transportOf,
    outbox,
    findWatched: () => findWatched({ config, settings, clock, tokens }),
    /** Signs in at Microsoft. */
    microsoft: { signIn },
    /** Fetches the mailbox, once it is started. */
    mailWatch,
    pictures,
    /** The open event streams. */
    streams,
    /** The texts of pages and emails in a language. */
    textsFor: translate,
    /** The signature and texts of emails from this agency; those to staff have the default language. */
    emailSignature(siteName: string, language: Language = DEFAULT_LANGUAGE): EmailSignature {
      const { agent, brand } = content.read().content
      const { name, registrationNumber } = agent
      const ground = brand?.logo?.isLight ? own.ocean : own.white
      return {
        ...{ texts: translate(language), siteName, agent: name, registrationNumber },
        colours: emailColours(brand),
        logo: brand?.logo ? { id: brand.logo.picture, ground } : null,
      }
    },
    async close() {
      await streams.close()
      content.close()
      await pictures.encoder.close()
      await mailWatch.stop()
      await outbox.stop()
      await mailParser.close()
      await mailboxSweep.stop()
      await flushLog()
      await writeAheadLog?.stop()
      await db.destroy()
    },
  }
}

const NOT_SIGNED_IN = 'Nobody has signed in to this mailbox at Microsoft'

function openTransport(config: Config, source: Exclude<MailSource, { kind: 'mailbox' }>): Transport {
  if (source.kind === 'mailchimp') return mailchimpTransport(config.mailchimpApiUrl, source.key)
  if (source.kind === 'environment') return smtpTransport(source.url)
  return accountTransport(source.server, config.smtpPrivateHosts, senderOf(source.server))
}
