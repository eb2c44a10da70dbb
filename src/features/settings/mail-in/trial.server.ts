import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../database/tables.ts'
import { describeError } from '../../../log/logger.ts'
import { renderEmail } from '../../../mail/email.ts'
import { AWAITED_EMAIL, DeliveryError } from '../../../mail/mail.ts'
import { type ListedMail, MailboxFailure, type MailSource } from '../../../mail/mail-source.ts'
import type { WatchedMailbox } from '../../../mail/mail-watch.ts'
import { connectMailbox, fingerprintOf, ownedMailbox, readMailbox } from '../../../mail/mailboxes.ts'
import { identifiersOf, newTrialId } from '../../../mail/trial-email.ts'
import { isoAfter, minutes, seconds } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { type Stop, type StopName, stops, Trial } from './contract.ts'

/** How long each part of the way may take. Usually an email is back within seconds. */
const LIMITS = { arrived: minutes(1.5), plus: seconds(15), fetched: seconds(40), look: seconds(1) }
/** No test takes longer; one that seems to was ended with its process. */
const LONGEST = minutes(4)

/** The last test of the mailbox. */
export function readTrial(text: string | null, now: Date): Trial | null {
  if (text === null) return null
  const trial = Trial.safeParse(JSON.parse(text)).data
  if (!trial) return null
  const isOver = now.getTime() - Date.parse(trial.startedAt) > LONGEST
  return { ...trial, isRunning: trial.isRunning && !isOver }
}

/**
 * Sends an email to the mailbox and another one to its plus address, and follows both until they are fetched. How far it is
 * is stored at each stop. If the second one does not come back, answers find their conversation by their References from then on.
 */
export async function startTrial(services: Services, watched: WatchedMailbox, by: string): Promise<void> {
  const { db, clock } = services
  await connectMailbox(db, clock, fingerprintOf(watched.name))
  const way = createWay(db, fingerprintOf(watched.name), { startedAt: isoAfter(clock), by })
  await way.begin('sign-in')
  // It takes longer than anybody waits for a reply.
  void follow(services, watched, way)
}

async function follow(services: Services, watched: WatchedMailbox, way: Way) {
  const { db, clock, log } = services
  const account = fingerprintOf(watched.name)
  let source: MailSource | null = null
  try {
    // Nobody's lease: this only looks.
    const store = ownedMailbox(db, clock, clock, account, '')
    const row = (await readMailbox(db, account)) ?? disconnected()
    source = await watched.open({ store, row })
    await way.done('sign-in')
    const email = await send(services, way, watched.address)
    const plus = await sendPlus(services, watched.address)
    const found = await awaitEmails(source, way, { email, plus })
    const headers = await source.fetchHeaders(found.email)
    await way.end('signed', ...describeSignatures(Buffer.from(headers?.raw ?? []).toString('latin1')))
    await awaitFetched(services, way, { source, account, email: found.email })
    await savePlus(db, account, found.hasPlus)
  } catch (error) {
    await way.fail(error)
    log('warning', 'EmailService', 'The test of the mailbox failed', describeError(error))
  } finally {
    await source?.close()
    await way.finish()
  }
}

async function send(services: Services, way: Way, to: string): Promise<string> {
  await way.begin('sent')
  const id = await sendEmail(services, to)
  await way.done('sent', null)
  return id
}

/** A server that does not know plus addresses may refuse it, which says enough. */
async function sendPlus(services: Services, address: string): Promise<string | null> {
  const at = address.lastIndexOf('@')
  try {
    return await sendEmail(services, `${address.slice(0, at)}+try${address.slice(at)}`)
  } catch (error) {
    if (error instanceof DeliveryError) return null
    throw error
  }
}

async function sendEmail(services: Services, to: string): Promise<string> {
  const { config, keys, mail, settings, emailSignature } = services
  const { site_name: siteName } = await settings.publicValues()
  const signature = emailSignature(siteName)
  const { subject, opening } = signature.texts.emails.test
  const messageId = newTrialId(keys.mailTest, new URL(config.publicUrl).hostname)
  const email = renderEmail({ to, subject: subject(siteName), opening: opening('Landfall') }, signature)
  await mail.send({ ...email, messageId, isAutomatic: true, needsProvider: true }, AWAITED_EMAIL)
  return messageId
}

interface Emails {
  readonly email: string
  readonly plus: string | null
}

async function awaitEmails(source: MailSource, way: Way, { email, plus }: Emails) {
  await way.begin('arrived')
  let until = performance.now() + LIMITS.arrived
  let found: ListedMail | null = null
  let hasPlus = false
  const seen = new Set<string>()
  while (performance.now() < until) {
    for (const [mail, messageId] of await source.listArrived()) {
      if (seen.has(mail.id)) continue
      const ids = await identify(source, mail, messageId, [email, plus])
      seen.add(mail.id)
      if (ids.includes(email)) found = mail
      if (plus !== null && ids.includes(plus)) hasPlus = true
      if (found !== mail) continue
      until = performance.now() + LIMITS.plus
      await way.done('arrived')
      if (plus) await way.begin('plus')
    }
    if (found && (hasPlus || !plus)) break
    await source.waitForNews(LIMITS.look, new AbortController().signal)
  }
  if (!found) throw new MailboxFailure(NOT_ARRIVED, 'timeout')
  await way.end('plus', hasPlus ? 'done' : 'lost', hasPlus ? null : NO_PLUS)
  return { email: found, hasPlus }
}

const NOT_ARRIVED = 'The email was accepted, but it is not in the folder that is fetched'
const NO_PLUS =
  'Emails to a plus address do not arrive. Answers find their conversation by their references instead.'

/** The provider may have given an email another Message-ID on its way: then its headers still have ours. */
async function identify(
  source: MailSource,
  mail: ListedMail,
  messageId: string | null,
  wanted: readonly (string | null)[],
) {
  if (messageId !== null && wanted.includes(messageId)) return [messageId]
  const headers = await source.fetchHeaders(mail)
  return headers ? identifiersOf(headers.raw) : []
}

function disconnected(): never {
  throw new MailboxFailure('The mailbox has been disconnected', 'answer')
}

/** What the server of the mailbox found out about the sender. It may be wrong, and stops nothing. */
function describeSignatures(headers: string): [state: 'done' | 'lost', words: string] {
  const unfolded = headers.replace(/\r?\n[ \t]+/g, ' ')
  const results = /^Authentication-Results:(.*)$/im.exec(unfolded)?.[1] ?? ''
  const passed = ['spf', 'dkim'].filter(name => new RegExp(`\\b${name}=pass\\b`, 'i').test(results))
  if (results === '') return ['lost', 'The mailbox does not say whether SPF and DKIM name your domain.']
  if (passed.length === 2) return ['done', 'SPF and DKIM pass.']
  return [
    'lost',
    'SPF or DKIM does not pass: your emails may end among the spam. The manual says what to set.',
  ]
}

interface Arrived {
  readonly source: MailSource
  readonly account: string
  readonly email: ListedMail
}

async function awaitFetched(
  { db, clock, mailWatch }: Services,
  way: Way,
  { source, account, email }: Arrived,
) {
  await way.begin('fetched')
  const arrivedAt = isoAfter(clock)
  await mailWatch.wake()
  const until = performance.now() + LIMITS.fetched
  for (;;) {
    const row = await readMailbox(db, account)
    if (row && source.hasPassed(row, email, arrivedAt)) return await way.done('fetched')
    if (performance.now() > until) {
      const words = row?.reason ?? 'Landfall did not fetch the email in time'
      throw new MailboxFailure(words, 'timeout')
    }
    await sleep(LIMITS.look / 2, undefined, { ref: false })
  }
}

async function savePlus(db: Database, account: string, hasPlus: boolean) {
  const change = { plus_addresses: hasPlus ? 1 : 0 } as const
  await db.updateTable('mailboxes').set(change).where('account', '=', account).execute()
}

type Way = ReturnType<typeof createWay>

/** The stops of a test, stored as they are passed: any node may be asked how far it is. */
function createWay(db: Database, account: string, about: Pick<Trial, 'startedAt' | 'by'>) {
  const begun = performance.now()
  const passed: Stop[] = stops.map(name => ({
    name,
    state: 'waiting',
    time: null,
    words: null,
    problem: null,
  }))
  let isRunning = true

  async function save() {
    const trial = JSON.stringify({ ...about, isRunning, stops: passed } satisfies Trial)
    // The mailbox may have been disconnected meanwhile.
    await db.updateTable('mailboxes').set({ trial }).where('account', '=', account).execute()
  }

  async function set(name: StopName, change: Partial<Stop>) {
    const at = stops.indexOf(name)
    const stop = passed[at]
    if (stop) passed[at] = { ...stop, ...change }
    await save()
  }

  const since = () => Math.round(performance.now() - begun)
  const end = async (name: StopName, state: 'done' | 'lost', words: string | null) =>
    await set(name, { state, time: since(), words })

  return {
    save,
    begin: async (name: StopName) => await set(name, { state: 'running' }),
    done: async (name: StopName, words: string | null = null) => await end(name, 'done', words),
    end,
    /** The stop at which it is has failed. */
    async fail(error: unknown) {
      const name = passed.find(({ state }) => state === 'running')?.name ?? 'sign-in'
      await set(name, { state: 'failed', time: since(), ...describe(error) }).catch(() => {})
    },
    async finish() {
      isRunning = false
      await save().catch(() => {})
    },
  }
}

function describe(error: unknown): Pick<Stop, 'words' | 'problem'> {
  if (error instanceof MailboxFailure) return { words: error.message, problem: error.problem }
  if (error instanceof DeliveryError) return { words: error.message, problem: error.problem ?? 'delivery' }
  return { words: 'Something unexpected happened. The log has the details.', problem: null }
}
