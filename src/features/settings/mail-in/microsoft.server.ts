import * as z from 'zod/mini'
import type { Database } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { MailboxFailure } from '../../../mail/mail-source.ts'
import { createGraph } from '../../../mail/microsoft/graph.ts'
import { isoAfter, minutes, seconds } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { type MailInState, type MicrosoftChange, StoredConnection } from './contract.ts'

/** The one sign-in that waits for a person, as the encrypted setting `mail_in_code` holds it in JSON. */
const Pending = z.object({
  tenant: z.string(),
  client: z.string(),
  /** Empty: that of the person. */
  mailbox: z.string(),
  deviceCode: z.string(),
  code: z.string(),
  url: z.string(),
  expiresAt: z.string(),
  interval: z.number(),
  /** Of somebody who has signed in, while it is not known yet whose mailbox it is: a code works once. */
  tokens: z.nullable(z.object({ accessToken: z.string(), refreshToken: z.nullable(z.string()) })),
  /** What somebody has to look at before it is connected. */
  connection: z.nullable(StoredConnection),
})
type Pending = z.output<typeof Pending>

/** For who has signed in, to look at the account. */
const TIME_TO_CONFIRM = minutes(15)
/** RFC 8628: seconds that each `slow_down` adds. */
const SLOWER = 5

/** Another one has begun meanwhile, or nobody is waiting any more. */
const OVERTAKEN = 'This sign-in is over. Please look at the settings again.'

async function readPending({ settings, clock }: Services, db?: Database): Promise<Pending | null> {
  const text = await settings.secret('mail_in_code', db)
  if (text === '') return null
  const pending = Pending.safeParse(JSON.parse(text)).data
  return pending && pending.expiresAt > isoAfter(clock) ? pending : null
}

/** What a person has to do now. The code by which Microsoft knows this server is not shown. */
export async function readSignIn(services: Services): Promise<MailInState['signIn']> {
  const pending = await readPending(services)
  if (!pending) return null
  const { code, url, expiresAt, interval, connection } = pending
  return { code, url, expiresAt, interval, account: accountOf(connection) }
}

type Account = NonNullable<MailInState['signIn']>['account']

function accountOf(connection: StoredConnection | null): Account {
  if (!connection?.microsoft) return null
  return { signedInAs: connection.microsoft.signedInAs, address: connection.address }
}

/** @throws {HttpError} 503 with the reason */
export async function beginSignIn(services: Services, change: MicrosoftChange): Promise<void> {
  const { clock, settings, microsoft } = services
  const { tenant, client, mailbox = '' } = change
  const app = { tenant, client, isShared: mailbox !== '' }
  const begun = await microsoft.signIn.begin(app).catch(refuse)
  const { deviceCode, userCode: code, url, lifetime, interval } = begun
  const pending: Pending = {
    ...{ tenant, client, mailbox, deviceCode, code, url, interval, tokens: null, connection: null },
    expiresAt: isoAfter(clock, seconds(lifetime)),
  }
  await settings.write('mail_in_code', JSON.stringify(pending))
}

export async function cancelSignIn({ settings }: Services): Promise<void> {
  await settings.write('mail_in_code', '')
}

/** Microsoft is asked for seconds, in which somebody may give up the sign-in or begin another. @throws {HttpError} 409 */
async function replacePending(services: Services, { deviceCode }: Pending, next: Pending | null) {
  const text = next ? JSON.stringify(next) : ''
  await services.settings.write('mail_in_code', text, async transaction => {
    await assertPending(services, transaction, deviceCode)
  })
}

async function assertPending(services: Services, transaction: Transaction, deviceCode: string) {
  const pending = await readPending(services, transaction)
  if (pending?.deviceCode !== deviceCode) throwHttpError(409, OVERTAKEN)
}

/**
 * Asks Microsoft once. Who has signed in is kept until somebody has looked at the account.
 * @throws {HttpError} 409 without a sign-in that waits, 503 with the reason why it came to nothing
 */
export async function checkSignIn(services: Services): Promise<void> {
  const { clock, microsoft } = services
  const pending = (await readPending(services)) ?? throwHttpError(409, OVERTAKEN)
  if (pending.connection) return
  const { tenant, client, mailbox, deviceCode, interval } = pending
  const app = { tenant, client, isShared: mailbox !== '' }
  try {
    const tokens = pending.tokens ?? (await microsoft.signIn.check(app, deviceCode))
    if (tokens === 'waiting') return
    if (tokens === 'slower')
      return await replacePending(services, pending, { ...pending, interval: interval + SLOWER })
    if (!pending.tokens) await replacePending(services, pending, { ...pending, tokens })
    const connection = await openSignedIn(services, pending, tokens)
    const expiresAt = isoAfter(clock, TIME_TO_CONFIRM)
    await replacePending(services, pending, { ...pending, tokens: null, connection, expiresAt })
  } catch (error) {
    if (!(error instanceof MailboxFailure)) throw error
    if (isOver(error)) await replacePending(services, pending, null)
    return refuse(error)
  }
}

/**
 * Reads what is to be connected. @param seen the account that somebody has looked at: another admin may have signed in since
 * @returns it, and what to do in the transaction that connects it @throws {HttpError} 409
 */
export async function readSignedIn(services: Services, seen: NonNullable<Account>) {
  const { connection, deviceCode } = (await readPending(services)) ?? throwHttpError(409, OVERTAKEN)
  if (!connection) throwHttpError(409, 'Nobody has signed in with the code yet')
  const account = accountOf(connection)
  if (account?.signedInAs !== seen.signedInAs || account.address !== seen.address)
    throwHttpError(409, OVERTAKEN)
  const assertCurrent = async (transaction: Transaction) =>
    await assertPending(services, transaction, deviceCode)
  return { connection, assertCurrent }
}

/** After these, only another code helps. */
function isOver({ problem }: MailboxFailure): boolean {
  return !['busy', 'timeout', 'unknown_host', 'refused', 'answer'].includes(problem)
}

/** Whose mailbox it is, and whether it can be read. @throws {MailboxFailure} */
async function openSignedIn(
  { config, clock }: Services,
  { tenant, client, mailbox }: Pending,
  { accessToken, refreshToken }: { readonly accessToken: string; readonly refreshToken: string | null },
): Promise<StoredConnection> {
  if (refreshToken === null)
    throw new MailboxFailure('Microsoft gave no lasting sign-in: the app lacks offline_access', 'app')
  const isShared = mailbox !== ''
  const pace = { clock, tokens: { access: async () => accessToken } }
  const graph = createGraph({ apiUrl: config.graphApiUrl, ...pace }, { address: mailbox, isShared })
  const signedInAs = await graph.readOwnAddress()
  await graph.assertReadable()
  const address = isShared ? mailbox : signedInAs
  return {
    ...{ provider: 'microsoft', host: new URL(config.graphApiUrl).hostname, port: 443, security: 'tls' },
    ...{ user: address, folder: 'Inbox', address, password: refreshToken },
    microsoft: { tenant, client, isShared, signedInAs, signedInAt: isoAfter(clock) },
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof MailboxFailure)) throw error
  const retryAfter = Math.max(5, Math.ceil(error.retryAfter / seconds(1)))
  return throwHttpError(503, error.message, { retryAfter, code: `mail_in_${error.problem}` })
}
