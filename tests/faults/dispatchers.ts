import { isoAfter, systemClock } from '../../src/clock.ts'
import { newId } from '../../src/database/id.ts'
import { renderEmail } from '../../src/mail/email.ts'
import { type MailSink, openMailSink } from '../support/smtp-sink.ts'
import { type Fault, type FaultRun, goesOn, type Outcome, pause } from './fault.ts'
import { countWaiting, openDatabaseBeside, type Where } from './inspect-database.ts'
import { installProduct, type Product } from './product.ts'

/** Letters that a dispatcher has in hand. */
const AT_ONCE = 10

export const dispatcherKilled: Fault = {
  name: 'F7',
  title: 'dispatchers killed while the relay refuses three in ten',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(run) {
    const mail = await openMailSink(run.random)
    mail.refusedInHundred = 30
    const nodes = await installNodes(run, mail)
    const emails = run.cycles(60, 1000)
    await nodes[0]?.start()
    await writeEmails(nodes[0], emails)
    await nodes[1]?.start()
    let kills = 0
    const most = run.cycles(5, 346)
    for (; kills < most && mail.taken.size < emails && !run.signal.aborted; kills++) {
      await pause(150)
      const node = nodes[kills % nodes.length]
      await node?.kill()
      await node?.start()
      run.tell(`${mail.taken.size} of ${emails} letters, ${kills} kills`)
    }
    mail.refusedInHundred = 0
    return await conclude(run, nodes, mail, emails, kills)
  },
}

export const fullOutbox: Fault = {
  name: 'F13',
  title: 'a start with a full outbox, two dispatchers on PostgreSQL',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(run) {
    const mail = await openMailSink()
    const nodes = await installNodes(run, mail)
    const emails = run.cycles(2000, 10_000)
    // The schema is there once a node was.
    await nodes[0]?.start()
    await nodes[0]?.stop()
    await writeEmails(nodes[0], emails)
    const begin = performance.now()
    for (const node of nodes) await node.start()
    await goesOn(() => {
      run.tell(`${mail.taken.size} of ${emails} letters`)
      return emails - mail.taken.size
    }, run.signal)
    const seconds = (performance.now() - begin) / 1000
    const outcome = await conclude(run, nodes, mail, emails, 0)
    const most = AT_ONCE * nodes.length
    const complaints = [...outcome.complaints]
    if (mail.mostAtOnce > most) complaints.push(`${mail.mostAtOnce} letters went out at once`)
    return { ...outcome, cycles: 1, complaints, remark: `${Math.round(emails / seconds)} letters/s` }
  },
}

/** SQLite has one process, PostgreSQL as many as one likes. */
async function installNodes(run: FaultRun, { url }: MailSink): Promise<Product[]> {
  const databaseUrl = await run.createDatabase()
  const count = run.engine === 'SQLite' ? 1 : 2
  return await Promise.all(Array.from({ length: count }, () => installProduct({ databaseUrl, smtpUrl: url })))
}

async function writeEmails(where: Where | undefined, count: number) {
  if (!where) return
  const db = await openDatabaseBeside(where)
  const email = renderEmail(
    { to: 'staff@agency.test', subject: 'A letter', opening: 'Hello' },
    { siteName: 'Agency', agent: 'Agent', registrationNumber: '1' },
  )
  const now = isoAfter(systemClock)
  const row = () => ({
    id: newId(systemClock()),
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

/** Until none is marked as waiting any more, which it is until it has arrived. */
async function awaitLast(where: Where, signal: AbortSignal) {
  const db = await openDatabaseBeside(where)
  // What was tried often waits up to half an hour; here that is over at once.
  await db
    .updateTable('outbox')
    .set({ due_at: isoAfter(systemClock) })
    .where('state', '=', 'waiting')
    .execute()
  await goesOn(() => countWaiting(db), signal)
  await db.destroy()
}

/** All letters arrive; what arrives twice is at most what was in hand at a kill. */
async function conclude(
  { signal }: FaultRun,
  nodes: Product[],
  mail: MailSink,
  emails: number,
  kills: number,
): Promise<Outcome> {
  // A letter that was refused is tried again after a while, one in hand at a kill once its lease is over.
  if (nodes[0]) await awaitLast(nodes[0], signal)
  const again = [...mail.taken.values()].filter(count => count > 1).length
  for (const node of nodes) await node.close()
  await mail.close()
  const complaints =
    again > kills * AT_ONCE ? [`${again} letters came more than once, after ${kills} kills`] : []
  const lost = emails - mail.taken.size
  const remark = `${again} letters came again, under the same Message-ID`
  return { cycles: kills, acknowledged: emails, lost, duplicated: 0, complaints, remark }
}
