import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deleteAttachments } from '../../src/attachments/store.server.ts'
import { isPostgres } from '../../src/database/engine.ts'
import type { Database } from '../../src/database/tables.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { DESK, type Dovecot, hasDovecot, openDovecot } from '../support/dovecot.ts'
import { type MailServer, openMailServer } from '../support/mail-server.ts'
import { type Fault, type FaultRun, type Outcome, pause, skipped, waitForZero, waitUntil } from './fault.ts'
import { openUnmigratedDatabase } from './inspect-database.ts'
import { installProduct, type Product } from './product.ts'

/** After the end of a node, another one fetches the mailbox within this time. Milliseconds. */
const TAKEOVER = 30_000

/** Every mail is stored in one conversation, whatever ends while it is fetched, and nobody is answered by mistake. */
export const mailFetched: Fault = {
  name: 'F24',
  title:
    'mail is fetched while nodes and its server are killed, its numbers change, and the database is restored',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    if (!hasDovecot) return skipped('Dovecot is not installed here')
    const mailServer = await openMailServer()
    const dovecot = await openDovecot()
    const nodes = await installNodes(run, dovecot, mailServer)
    const [first] = nodes
    if (!first) throw new Error('There is no node')
    await first.start()
    const db = await openUnmigratedDatabase(first)
    await waitUntil(async () => (await readMailbox(db))?.last_uid != null)
    const delivered: string[] = []
    const injure = createInjuries(run, dovecot, db, () => deliver(run, dovecot, delivered))
    const kills = run.cycles(20, 500)
    let cycle = 0
    for (; cycle < kills && !run.signal.aborted; cycle++) {
      deliver(run, dovecot, delivered)
      const node = nodes[cycle % nodes.length] ?? first
      if (node.id() === null) await node.start()
      // Long enough to fetch something, and short enough to be in the middle of it.
      await pause(run.random() * 600)
      deliver(run, dovecot, delivered)
      await pause(run.random() * 100)
      await node.kill()
      await endLease(db)
      await injure(cycle, kills)
      run.showProgress(`${cycle + 1} of ${kills} kills, ${delivered.length} mails`)
    }
    for (const node of nodes) if (node.id() === null) await node.start()
    const takeover = nodes.length > 1 ? await measureTakeover(db, nodes, dovecot, delivered) : null
    const outcome = await conclude(run, db, mailServer, delivered)
    await db.destroy()
    for (const node of nodes) await node.close()
    await dovecot.close()
    await mailServer.close()
    const failures = [...outcome.failures]
    if (takeover !== null && takeover > TAKEOVER) failures.push(`another node took over after ${takeover} ms`)
    const remark = takeover === null ? '' : `another node took over after ${(takeover / 1000).toFixed(1)} s`
    return { ...outcome, cycles: cycle, failures, remark }
  },
}

/** One process on SQLite, two on PostgreSQL. */
async function installNodes(run: FaultRun, { host, ports, certificate }: Dovecot, { url }: MailServer) {
  const databaseUrl = await run.createDatabase()
  const user = `${encodeURIComponent(DESK.user)}:${encodeURIComponent(DESK.password)}`
  const count = run.engine === 'SQLite' ? 1 : 2
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const env = { IMAP_URL: `imaps://${user}@${host}:${ports.tls}/INBOX`, NODE_EXTRA_CA_CERTS: '' }
      const product = await installProduct({ databaseUrl, smtpUrl: url, env })
      env.NODE_EXTRA_CA_CERTS = join(product.dataDir, 'mail-server.pem')
      writeFileSync(env.NODE_EXTRA_CA_CERTS, certificate.cert)
      return product
    }),
  )
}

function deliver(run: FaultRun, dovecot: Dovecot, delivered: string[]) {
  const count = 1 + Math.floor(run.random() * 3)
  for (let more = 0; more < count; more++) {
    const id = `<${delivered.length}.mail@visitor.test>`
    const headers = [
      `Message-ID: ${id}`,
      'From: visitor@visitor.test',
      `To: ${DESK.user}`,
      'Subject: A question',
    ]
    dovecot.deliver(`${headers.join('\r\n')}\r\n\r\nMay I work?\r\n`)
    delivered.push(id)
  }
}

/** What else happens, while no node of this cycle runs. */
function createInjuries(run: FaultRun, dovecot: Dovecot, db: Database, deliverMore: () => void) {
  let yesterday: Awaited<ReturnType<typeof takeSnapshot>> | null = null
  return async (cycle: number, kills: number) => {
    const at = (part: number) => cycle === Math.floor(kills * part)
    if (at(0.15) || at(0.5)) {
      // These are in the mailbox when its numbers change, and not yet stored.
      deliverMore()
      await dovecot.changeUidValidity()
    }
    if (cycle % 7 === 3) {
      await dovecot.kill()
      await pause(run.random() * 200)
      await dovecot.start()
    }
    if (at(0.3) || at(0.7)) yesterday = await takeSnapshot(db)
    if ((at(0.4) || at(0.85)) && yesterday) await restore(db, yesterday)
  }
}

/** What a backup would have now of what was fetched. */
async function takeSnapshot(db: Database) {
  const stored = await db.selectFrom('inbound_mails').select('message_id').execute()
  return { ids: new Set(stored.map(({ message_id: id }) => id)), mailbox: await readMailbox(db) }
}

async function restore(db: Database, { ids, mailbox }: Awaited<ReturnType<typeof takeSnapshot>>) {
  const stored = await db.selectFrom('inbound_mails').select('message_id').execute()
  const later = stored.map(({ message_id: id }) => id).filter(id => !ids.has(id))
  await inTransaction(db, async transaction => {
    for (let at = 0; at < later.length; at += 200) {
      const some = later.slice(at, at + 200)
      await deleteAttachments(transaction, { by: 'message_id', ids: some })
      await transaction.deleteFrom('inbound_mails').where('message_id', 'in', some).execute()
      await transaction.deleteFrom('mail_ids').where('message_id', 'in', some).execute()
      await transaction.deleteFrom('messages').where('id', 'in', some).execute()
    }
    if (mailbox) await transaction.updateTable('mailboxes').set(mailbox).execute()
  })
}

/** As if it had run out: otherwise most kills would be of a node that waits for it. */
async function endLease(db: Database) {
  if (isPostgres(db)) await db.updateTable('mailboxes').set({ leased_until: '', due_at: null }).execute()
  else await db.updateTable('mailboxes').set({ due_at: null }).execute()
}

async function readMailbox(db: Database) {
  return await db.selectFrom('mailboxes').selectAll().executeTakeFirst()
}

/** Kills the node that fetches. @returns milliseconds until another has fetched the next mail */
async function measureTakeover(db: Database, nodes: Product[], dovecot: Dovecot, delivered: string[]) {
  await waitUntil(async () => (await readMailbox(db))?.lease_owner != null)
  const before = await readMailbox(db)
  const [one, other] = nodes
  await one?.kill()
  const id = `<${delivered.length}.mail@visitor.test>`
  dovecot.deliver(`Message-ID: ${id}\r\nFrom: visitor@visitor.test\r\nSubject: Taken over\r\n\r\nHello\r\n`)
  delivered.push(id)
  const begun = performance.now()
  const isStored = async () =>
    (await db.selectFrom('mail_ids').select('mail_id').where('mail_id', '=', id).execute()).length === 1
  if (!(await waitUntil(isStored))) await other?.kill()
  const wasOwner = (await readMailbox(db))?.lease_owner !== before?.lease_owner
  // If the other one had it anyway, this one ends it now.
  if (wasOwner) return performance.now() - begun
  await one?.start()
  await other?.kill()
  const again = `<${delivered.length}.mail@visitor.test>`
  dovecot.deliver(`Message-ID: ${again}\r\nFrom: visitor@visitor.test\r\nSubject: Again\r\n\r\nHello\r\n`)
  delivered.push(again)
  const ended = performance.now()
  await waitUntil(
    async () =>
      (await db.selectFrom('mail_ids').select('mail_id').where('mail_id', '=', again).execute()).length === 1,
  )
  return performance.now() - ended
}

async function conclude(
  { signal }: FaultRun,
  db: Database,
  mailServer: MailServer,
  delivered: readonly string[],
): Promise<Outcome> {
  const countStored = async () => {
    const rows = await db.selectFrom('inbound_mails').select('mail_id').execute()
    return rows.map(({ mail_id: id }) => id)
  }
  const missing = async () => {
    const stored = new Set(await countStored())
    return delivered.filter(id => !stored.has(id)).length
  }
  const lost = await waitForZero(missing, signal)
  const stored = await countStored()
  const duplicated = stored.length - new Set(stored).size
  const answered = mailServer.emails.filter(({ recipients }) =>
    recipients.some(address => address.endsWith('@visitor.test')),
  )
  const failures = answered.length > 0 ? [`${answered.length} emails went to visitors`] : []
  return { cycles: 0, acknowledged: delivered.length, lost, duplicated, failures }
}
