import * as z from 'zod/mini'
import { throwHttpError } from '../../../http/http-error.ts'
import { MailboxFailure } from '../../../mail/mail-source.ts'
import { createGraph } from '../../../mail/microsoft/graph.ts'
import { isoAfter, seconds } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import type { MailInState, MicrosoftChange, StoredConnection } from './contract.ts'

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
})
type Pending = z.output<typeof Pending>

/** RFC 8628: seconds that each `slow_down` adds. */
const SLOWER = 5

/** Another one has begun meanwhile, or nobody is waiting any more. */
const OVERTAKEN = 'This sign-in is over. Please look at the settings again.'

async function readPending({ settings, clock }: Services): Promise<Pending | null> {
  const text = await settings.secret('mail_in_code')
  if (text === '') return null
  const pending = Pending.safeParse(JSON.parse(text)).data
  return pending && pending.expiresAt > isoAfter(clock) ? pending : null
}

/** What a person has to do now. The code by which Microsoft knows this server is not shown. */
export async function readSignIn(services: Services): Promise<MailInState['signIn']> {
  const pending = await readPending(services)
  if (!pending) return null
  const { code, url, expiresAt, interval } = pending
  return { code, url, expiresAt, interval }
}

/** @throws {HttpError} 503 with the reason */
export async function beginSignIn(services: Services, change: MicrosoftChange): Promise<void> {
  const { clock, settings, microsoft } = services
  const { tenant, client, mailbox = '' } = change
  const app = { tenant, client, isShared: mailbox !== '' }
  const begun = await microsoft.signIn.begin(app).catch(refuse)
  const { deviceCode, userCode: code, url, lifetime, interval } = begun
  const pending: Pending = {
    ...{ tenant, client, mailbox, deviceCode, code, url, interval },
    expiresAt: isoAfter(clock, seconds(lifetime)),
  }
  await settings.write('mail_in_code', JSON.stringify(pending))
}

export async function cancelSignIn({ settings }: Services): Promise<void> {
  await settings.write('mail_in_code', '')
}

/**
 * Asks Microsoft once. @param connect what to do with a mailbox that can be read
 * @throws {HttpError} 409 without a sign-in that waits, 503 with the reason why it came to nothing
 */
export async function checkSignIn(
  services: Services,
  connect: (connection: StoredConnection) => Promise<void>,
): Promise<void> {
  const { settings, microsoft } = services
  const pending = (await readPending(services)) ?? throwHttpError(409, OVERTAKEN)
  const { tenant, client, mailbox, deviceCode, interval } = pending
  const app = { tenant, client, isShared: mailbox !== '' }
  try {
    const reply = await microsoft.signIn.check(app, deviceCode)
    if (reply === 'waiting') return
    if (reply === 'slower') {
      return await settings.write('mail_in_code', JSON.stringify({ ...pending, interval: interval + SLOWER }))
    }
    // A code works once, whatever comes now.
    await settings.write('mail_in_code', '')
    await connect(await openSignedIn(services, pending, reply))
  } catch (error) {
    if (!(error instanceof MailboxFailure)) throw error
    if (isOver(error)) await settings.write('mail_in_code', '')
    return refuse(error)
  }
}

/** After these, only another code helps. */
function isOver({ problem }: MailboxFailure): boolean {
  return !['busy', 'timeout', 'unknown_host', 'refused'].includes(problem)
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
