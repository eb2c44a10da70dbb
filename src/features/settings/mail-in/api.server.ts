import { readSignature } from '../../../auth/account-emails.ts'
import {
  type AdminCall,
  assertStillAdmin,
  consumeNotification,
  notifyAdmins,
} from '../../../auth/notify-admins.ts'
import type { MailboxRow } from '../../../database/mail-in-tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { type ApiRouter, type HandlerContext, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { openMailbox } from '../../../mail/imap.ts'
import { MailboxFailure } from '../../../mail/mail-source.ts'
import { connectMailbox, fingerprintOf, forgetMailboxes, readMailbox } from '../../../mail/mailboxes.ts'
import { hours, minutes } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { findSentAs } from '../mail/mail-health.server.ts'
import { noMailSince, readStored } from './connection.server.ts'
import {
  findMailInErrors,
  type MailInChange,
  type MailInState,
  mailboxOf,
  mailboxPassword,
  mailInSettings,
  type StoredConnection,
} from './contract.ts'
import { beginSignIn, cancelSignIn, checkSignIn, readSignedIn, readSignIn } from './microsoft.server.ts'
import { readTrial, startTrial } from './trial.server.ts'

/** Enough to try a password, correct it and try again; too few to guess one, or to look for servers with. */
const SIGN_INS_PER_ACCOUNT = { name: 'sign-ins to a mailbox', count: 5, per: minutes(5) }
const SIGN_INS_PER_HOUR = { name: 'sign-ins to a mailbox an hour', count: 30, per: hours(1) }
/** Microsoft wants five seconds between two, and somebody may look in several tabs. */
const CHECKS_PER_ACCOUNT = { name: 'questions about a sign-in at Microsoft', count: 300, per: minutes(5) }
/** Average days of a month, by which the past is counted here. */
const DAYS_OF_MONTH = 30.44

const NOTHING_CONNECTED = 'No mailbox is connected'
const SENDS_WITH_IT =
  'Emails are sent with this sign-in at Microsoft. Choose another provider under Email Settings first.'
const SET_ON_SERVER = 'The mailbox is set on the server, with IMAP_URL: the portal cannot change it.'

type Call = HandlerContext<'settings', 'denied'>

/** Call it before the settings by key are served, whose path would include these. */
export function serveMailIn(router: ApiRouter): void {
  const { services } = router

  serve(router, mailInSettings.read, async () => await readState(services))

  serve(router, mailInSettings.change, async (change, call) => {
    const { host, folder } = await connect(services, change, call)
    call.log('info', 'API', 'Mailbox connected', { host, folder })
    return await readState(services)
  })

  serve(router, mailInSettings.beginSignIn, async (change, call) => {
    assertOwn(services)
    await countSignIn(services, call)
    await beginSignIn(services, change)
    call.log('info', 'API', 'Sign-in at Microsoft begun', { tenant: change.tenant })
    return await readState(services)
  })

  serve(router, mailInSettings.checkSignIn, async (_input, call) => {
    assertOwn(services)
    await services.rateLimiter.consume(CHECKS_PER_ACCOUNT, call.user.id)
    await checkSignIn(services)
    return await readState(services)
  })

  serve(router, mailInSettings.confirmSignIn, async (account, call) => {
    assertOwn(services)
    const { connection, assertCurrent } = await readSignedIn(services, account)
    const mailbox = fingerprintOf(connection)
    await write(services, connection, call, async transaction => {
      await assertCurrent(transaction)
      await forgetMailboxes(transaction, mailbox)
      await connectMailbox(transaction, services.clock, mailbox)
    })
    const { host, folder, microsoft } = connection
    call.log('info', 'API', 'Mailbox connected', { host, folder, tenant: microsoft?.tenant })
    return await readState(services)
  })

  serve(router, mailInSettings.cancelSignIn, async (_input, call) => {
    assertOwn(services)
    await cancelSignIn(services)
    call.log('info', 'API', 'Sign-in at Microsoft given up')
    return await readState(services)
  })

  serve(router, mailInSettings.disconnect, async (_input, call) => {
    assertOwn(services)
    if (await readStored(services)) {
      await write(services, null, call, async transaction => await forgetMailboxes(transaction))
      call.log('info', 'API', 'Mailbox disconnected')
    }
    return await readState(services)
  })

  serve(router, mailInSettings.test, async (_input, call) => {
    const watched = (await services.findWatched()) ?? throwHttpError(409, NOTHING_CONNECTED)
    const { trial } = await readState(services)
    if (trial?.isRunning) throwHttpError(409, 'A test is running')
    await countSignIn(services, call)
    await startTrial(services, watched, call.user.name)
    return await readState(services)
  })

  serve(router, mailInSettings.fetchNow, async (_input, call) => {
    await readConnected(services)
    await countSignIn(services, call)
    await services.mailWatch.wake()
    return await readState(services)
  })

  serve(router, mailInSettings.import, async ({ months }, call) => {
    const { account, row } = await readConnected(services)
    if (row.import_state === 'running') throwHttpError(409, 'Earlier mail is being imported')
    const from = months === 'all' ? '' : monthsBefore(row.connected_at, Number(months))
    const isResumed = row.import_state === 'stopped' && row.import_from === from
    const begin = isResumed ? {} : { import_from: from, import_uid: '0', import_total: 0, import_done: 0 }
    const change = { import_state: 'running', ...begin } as const
    await services.db.updateTable('mailboxes').set(change).where('account', '=', account).execute()
    await services.mailWatch.wake()
    call.log('info', 'API', 'Import of earlier mail started', { from: from || 'all' })
    return await readState(services)
  })

  serve(router, mailInSettings.stopImport, async (_input, call) => {
    const { account } = await readConnected(services)
    await services.db
      .updateTable('mailboxes')
      .set({ import_state: 'stopped' })
      .where('account', '=', account)
      .where('import_state', '=', 'running')
      .execute()
    call.log('info', 'API', 'Import of earlier mail stopped')
    return await readState(services)
  })
}

function monthsBefore(time: string, months: number): string {
  return new Date(Date.parse(time) - hours(24 * DAYS_OF_MONTH * months)).toISOString()
}

async function countSignIn({ rateLimiter }: Services, { user }: Call) {
  await rateLimiter.consume(SIGN_INS_PER_ACCOUNT, user.id)
  await rateLimiter.consume(SIGN_INS_PER_HOUR, user.id)
}

function assertOwn({ config }: Services) {
  if (config.imapUrl) throwHttpError(409, SET_ON_SERVER)
}

async function readConnected(services: Services): Promise<{ account: string; row: MailboxRow }> {
  const stored = (await readStored(services)) ?? throwHttpError(409, NOTHING_CONNECTED)
  const account = fingerprintOf(stored)
  await connectMailbox(services.db, services.clock, account)
  const row = (await readMailbox(services.db, account)) ?? throwHttpError(409, NOTHING_CONNECTED)
  return { account, row }
}

/** Signs in before anything is changed. @throws {HttpError} 400, 409, 429, 503 */
async function connect(services: Services, change: MailInChange, call: Call): Promise<StoredConnection> {
  assertOwn(services)
  const { config, clock } = services
  const before = await readStored(services)
  const errors = findMailInErrors(change, before)
  const [first] = Object.values(errors)
  if (first) throwHttpError(400, first, { errors })
  const after = { ...mailboxOf(change), password: mailboxPassword(change) || (before?.password ?? '') }
  await countSignIn(services, call)
  const numbers = await signIn(after, { isPrivateAllowed: config.smtpPrivateHosts, clock })
  const account = fingerprintOf(after)
  await write(services, after, call, async transaction => {
    await forgetMailboxes(transaction, account)
    await connectMailbox(transaction, clock, account, numbers)
  })
  return after
}

async function signIn(account: StoredConnection, options: Parameters<typeof openMailbox>[1]) {
  try {
    const mailbox = await openMailbox(account, options)
    const { uidValidity, uidNext } = mailbox
    await mailbox.close()
    return { uidValidity, uidNext }
  } catch (error) {
    if (!(error instanceof MailboxFailure)) throw error
    return throwHttpError(503, error.message, { retryAfter: 60, code: `mail_in_${error.problem}` })
  }
}

/** Writes the mailbox, and notifies every admin: who reads it reads what visitors write. */
async function write(
  services: Services,
  connection: StoredConnection | null,
  call: AdminCall,
  before: (transaction: Transaction) => Promise<void>,
) {
  const { settings, mailWatch } = services
  const signature = await readSignature(services)
  await consumeNotification(services, call)
  const { labels, sensitiveChange } = signature.texts.emails
  const fact = `mail_in (${connection ? describe(connection) : 'none'})`
  const notice = { what: sensitiveChange.settingChanged, facts: [[labels.setting, fact]] as const }
  const values = { mail_in: connection ? JSON.stringify(connection) : '', mail_in_code: '' }
  await settings.writeTogether(values, async transaction => {
    await assertStillAdmin(transaction, call)
    const sentAs = await findSentAs(settings, transaction)
    // Or sign-in codes would fail from then on.
    if (sentAs !== null && !(connection?.microsoft && connection.address === sentAs))
      throwHttpError(409, SENDS_WITH_IT)
    await before(transaction)
    await notifyAdmins(services, transaction, call, notice, signature)
  })
  await mailWatch.wake()
}

/** For every admin: another person's mailbox, or another organisation, is no usual change. */
function describe({ host, address, microsoft }: StoredConnection): string {
  if (!microsoft) return host
  return `${address} at ${host}, signed in as ${microsoft.signedInAs} of ${microsoft.tenant}`
}

function withoutPassword({ password: _, ...shown }: StoredConnection) {
  return shown
}

async function readState(services: Services): Promise<MailInState> {
  const { db, clock, config } = services
  const stored = await readStored(services)
  const row = stored && (await readMailbox(db, fingerprintOf(stored)))
  return {
    source: stored ? (config.imapUrl ? 'environment' : 'settings') : 'none',
    mailbox: stored && withoutPassword(stored),
    plusAddresses: row?.plus_addresses == null ? null : row.plus_addresses === 1,
    connectedAt: row?.connected_at ?? null,
    lastFetchedAt: row?.last_fetched_at ?? null,
    noMailSince: noMailSince(row ?? undefined, clock),
    failingSince: row?.failing_since ?? null,
    problem: row?.problem ?? null,
    reason: row?.reason ?? null,
    passedOver: row?.passed_over ?? 0,
    import: row?.import_state
      ? {
          state: row.import_state,
          from: row.import_from || null,
          total: row.import_total,
          done: row.import_done,
        }
      : null,
    trial: readTrial(row?.trial ?? null, clock()),
    signIn: config.imapUrl ? null : await readSignIn(services),
  }
}
