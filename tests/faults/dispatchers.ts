import { newId } from '../../src/database/id.ts'
import { textsFor } from '../../src/i18n/texts.ts'
import { renderEmail } from '../../src/mail/email.ts'
import { isoAfter, systemClock } from '../../src/platform/clock.ts'
import { type MailSink, openMailSink } from '../support/smtp-sink.ts'
import { type Fault, type FaultRun, type Outcome, pause, waitForZero } from './fault.ts'
import { countWaiting, type DatabaseLocation, openUnmigratedDatabase } from './inspect-database.ts'
import { installProduct, type Product } from './product.ts'

/** Emails that a dispatcher sends concurrently. */
const CONCURRENCY = 10

export const dispatcherKilled: Fault = {
  name: 'F7',
  title: 'dispatchers killed while the relay rejects three emails in ten',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink(run.random)
    mail.rejectPercent = 30
    const nodes = await installNodes(run, mail)
    const emails = run.cycles(60, 1000)
    await nodes[0]?.start()
    await writeEmails(nodes[0], emails)
    await nodes[1]?.start()
    let kills = 0
    const maxKills = run.cycles(5, 346)
    for (; kills < maxKills && mail.accepted.size < emails && !run.signal.aborted; kills++) {
      await pause(150)
      const node = nodes[kills % nodes.length]
      await node?.kill()
      await node?.start()
      run.showProgress(`${mail.accepted.size} of ${emails} emails, ${kills} kills`)
    }
    mail.rejectPercent = 0
    return await conclude(run, nodes, mail, emails, kills)
  },
}

export const fullOutbox: Fault = {
  name: 'F13',
  title: 'a start with a full outbox, two dispatchers on PostgreSQL',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const nodes = await installNodes(run, mail)
    const emails = run.cycles(2000, 10_000)
    // The first start creates the schema.
    await nodes[0]?.start()
    await nodes[0]?.stop()
    await writeEmails(nodes[0], emails)
    const begin = performance.now()
    for (const node of nodes) await node.start()
    await waitForZero(() => {
      run.showProgress(`${mail.accepted.size} of ${emails} emails`)
      return emails - mail.accepted.size
    }, run.signal)
    const seconds = (performance.now() - begin) / 1000
    const outcome = await conclude(run, nodes, mail, emails, 0)
    const maxConcurrent = CONCURRENCY * nodes.length
    const failures = [...outcome.failures]
    if (mail.maxConcurrent > maxConcurrent)
      failures.push(`${mail.maxConcurrent} emails were sent concurrently`)
    return { ...outcome, cycles: 1, failures, remark: `${Math.round(emails / seconds)} emails/s` }
  },
}

/** One process on SQLite, two on PostgreSQL. */
async function installNodes(run: FaultRun, { url }: MailSink): Promise<Product[]> {
  const databaseUrl = await run.createDatabase()
  const count = run.engine === 'SQLite' ? 1 : 2
  return await Promise.all(Array.from({ length: count }, () => installProduct({ databaseUrl, smtpUrl: url })))
}

async function writeEmails(where: DatabaseLocation | undefined, count: number) {
  if (!where) return
  const db = await openUnmigratedDatabase(where)
  const email = renderEmail(
    { to: 'staff@agency.test', subject: 'An email', opening: 'Hello' },
    { texts: textsFor('en'), siteName: 'Agency', agent: 'Agent', registrationNumber: '1' },
  )
  const now = isoAfter(systemClock)
  const row = () => ({
    id: newId(systemClock()),
    kind: 'account' as const,
    message_id: null,
    email: JSON.stringify(email),
    state: 'waiting' as const,
    attempts: 0,
    due_at: now,
    leased_until: null,
    last_error: null,
    created_at: now,
    sent_at: null,
  })
  for (let written = 0; written < count; written += 100)
    await db
      .insertInto('outbox')
      .values(Array.from({ length: Math.min(100, count - written) }, row))
      .execute()
  await db.destroy()
}

/** Waits until no email is marked as waiting, which each is until it has arrived. */
async function awaitLast(where: DatabaseLocation, signal: AbortSignal) {
  const db = await openUnmigratedDatabase(where)
  // An email that failed several times waits up to half an hour; this makes it due now.
  await db
    .updateTable('outbox')
    .set({ due_at: isoAfter(systemClock) })
    .where('state', '=', 'waiting')
    .execute()
  await waitForZero(() => countWaiting(db), signal)
  await db.destroy()
}

/** Every email arrives. At most those in flight at a kill arrive twice. */
async function conclude(
  { signal }: FaultRun,
  nodes: Product[],
  mail: MailSink,
  emails: number,
  kills: number,
): Promise<Outcome> {
  // A rejected email is tried again after a delay, one in flight at a kill after its lease expires.
  if (nodes[0]) await awaitLast(nodes[0], signal)
  const again = [...mail.accepted.values()].filter(count => count > 1).length
  for (const node of nodes) await node.close()
  await mail.close()
  const failures =
    again > kills * CONCURRENCY ? [`${again} emails arrived more than once, after ${kills} kills`] : []
  const lost = emails - mail.accepted.size
  const remark = `${again} emails arrived again, with the same Message-ID`
  return { cycles: kills, acknowledged: emails, lost, duplicated: 0, failures, remark }
}
