import { randomUUID } from 'node:crypto'
import type { Database } from '../../src/database/tables.ts'
import { REPLIES_PER_USER } from '../../src/features/inbox/replies/reply.server.ts'
import { isoAfter, systemClock } from '../../src/platform/clock.ts'
import { addEditor } from '../support/editor-token.ts'
import { newMessages } from '../support/messages.ts'
import { type MailSink, openMailSink } from '../support/smtp-sink.ts'
import {
  FAULT_TIMEOUT,
  type Fault,
  type FaultRun,
  type Outcome,
  pause,
  waitForZero,
  waitUntil,
} from './fault.ts'
import { openUnmigratedDatabase } from './inspect-database.ts'
import { installProduct, type Product } from './product.ts'

const WRITERS = 4
/** The percentage of replies that are taken back, and of emails that the relay rejects for now. */
const UNDONE = 40
const REJECTED = 10

/** Below the limit of one person. */
const PER_EDITOR = REPLIES_PER_USER.count - 50
/** Replies between two kills, at most: enough messages must be there. */
const MAX_PER_CYCLE = 100

/** What became of one reply, as its writer was answered. */
interface Written {
  readonly messageId: string
  /** What the writer has noted beside it, and not finished. */
  readonly draft: string
  readonly replyId: string
  readonly body: string
  readonly isUndone: boolean
}

export const repliesWritten: Fault = {
  name: 'F21',
  title: 'kill -9 of the product while replies are written, taken back and sent',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink(run.random)
    mail.rejectPercent = REJECTED
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    await product.start()
    const db = await openUnmigratedDatabase(product)
    const kills = run.cycles(40, 1000, 6)
    const messageIds = await storeMessages(db, kills * MAX_PER_CYCLE)
    const written: Written[] = []
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, () => startWriter(run, product, messageIds, written)),
    )
    let cycles = 0
    try {
      for (; cycles < kills && !run.signal.aborted; cycles++) {
        const before = written.length
        if (!(await waitUntil(() => written.length > before)))
          throw new Error(`No more replies are stored: ${product.console().slice(-500)}`)
        await pause(20 + run.random() * 100)
        await makeDue(db, run)
        await pause(run.random() * 60)
        await product.kill()
        await product.start()
        run.showProgress(`${written.length} replies, killed ${cycles + 1} of ${kills} times`)
      }
    } finally {
      messageIds.length = 0
      await Promise.all(writers.map(({ ended }) => ended))
    }
    mail.rejectPercent = 0
    const outcome = await conclude(run, db, mail, written)
    await db.destroy()
    await product.close()
    await mail.close()
    return { ...outcome, cycles, acknowledged: written.length }
  },
}

async function storeMessages(db: Database, count: number): Promise<string[]> {
  const rows = newMessages(systemClock(), Array(count).fill({}))
  for (let start = 0; start < count; start += 500)
    await db
      .insertInto('messages')
      .values(rows.slice(start, start + 500))
      .execute()
  return rows.map(({ id }) => id)
}

/** For half of what waits, the time to take it back is over. */
async function makeDue(db: Database, { random }: FaultRun) {
  const waiting = await db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()
  const ids = waiting.map(({ id }) => id).filter(() => random() < 0.5)
  if (ids.length === 0) return
  const now = isoAfter(systemClock)
  await db.updateTable('outbox').set({ due_at: now }).where('id', 'in', ids).execute()
}

/** Answers one message after the other, and takes some replies back. Repeats each call until it is answered. */
async function startWriter(run: FaultRun, product: Product, messageIds: string[], written: Written[]) {
  let token = await addEditor(product, 'answer')

  async function call(method: string, path: string, body?: object, key = 'no-key-needed') {
    for (;;) {
      run.signal.throwIfAborted()
      const reply = await fetch(`${product.url}/api/messages/${path}`, {
        method,
        signal: AbortSignal.timeout(FAULT_TIMEOUT / 2),
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => null)
      const answered = await reply?.json().catch(() => null)
      if (reply && answered && reply.status < 429) return { status: reply.status, body: answered }
      await pause(30)
    }
  }

  async function write(messageId: string) {
    const body = `Reply ${randomUUID()}`
    const draft = `Note ${randomUUID()}`
    for (const text of [`Half of ${draft}`, draft])
      await call('PUT', `${messageId}/draft`, { kind: 'note', body: text })
    await call('PUT', `${messageId}/draft`, { kind: 'reply', body })
    const sent = await call('POST', `${messageId}/replies`, { body, lastSeq: 0 }, randomUUID())
    if (sent.status !== 201) throw new Error(`A reply got ${sent.status}: ${JSON.stringify(sent.body)}`)
    const { id: replyId } = sent.body.reply
    if (run.random() * 100 >= UNDONE) return { messageId, replyId, body, draft, isUndone: false }
    await pause(run.random() * 100)
    const undone = await call('DELETE', `${messageId}/replies/${replyId}`)
    // A repeat of a call whose answer was lost finds no such reply any more.
    return { messageId, replyId, body, draft, isUndone: undone.status === 200 || undone.status === 404 }
  }

  async function writeAll() {
    for (let count = 1; messageIds.length > 0; count++) {
      written.push(await write(messageIds.pop() ?? ''))
      // One person sends only so many replies in an hour.
      if (count % PER_EDITOR === 0) token = await addEditor(product, 'answer')
    }
  }

  const stopped = (error: unknown) => {
    if (!run.signal.aborted) throw error
  }
  return { ended: writeAll().catch(stopped) }
}

/**
 * Each reply was sent once, or failed visibly; one that was taken back was never sent, and its text is a draft. So is what
 * else was written.
 */
async function conclude(
  run: FaultRun,
  db: Database,
  mail: MailSink,
  written: readonly Written[],
): Promise<Omit<Outcome, 'cycles' | 'acknowledged'>> {
  const waiting = db.selectFrom('outbox').select('id').where('state', '=', 'waiting')
  await waitForZero(async () => {
    await db
      .updateTable('outbox')
      .set({ due_at: isoAfter(systemClock) })
      .where('state', '=', 'waiting')
      .execute()
    return (await waiting.execute()).length
  }, run.signal)
  const states = new Map(
    (await db.selectFrom('outbox').select(['id', 'state']).execute()).map(it => [it.id, it.state]),
  )
  const mailIds = await db.selectFrom('mail_ids').select(['mail_id', 'entry_id']).execute()
  const accepted = new Map(mailIds.map(it => [it.entry_id, mail.accepted.get(it.mail_id) ?? 0]))
  const known = new Set(mailIds.map(it => it.mail_id))
  const drafts = await db.selectFrom('drafts').select(['message_id', 'kind', 'body']).execute()
  const draftOf = new Map(drafts.map(it => [`${it.kind} ${it.message_id}`, it.body]))
  const failures: string[] = []
  let lost = 0
  for (const { messageId, replyId, body, draft, isUndone } of written) {
    const state = states.get(replyId)
    if (draftOf.get(`note ${messageId}`) !== draft) lost++
    const writing = draftOf.get(`reply ${messageId}`)
    if (isUndone ? writing !== body || state !== undefined : writing !== undefined) lost++
    if (isUndone) continue
    if (state === 'sent' ? accepted.get(replyId) !== 1 : state !== 'failed') lost++
  }
  const duplicated = [...mail.accepted.values()].filter(count => count > 1).length
  const afterUndo = [...mail.accepted.keys()].filter(id => !known.has(id)).length
  if (afterUndo > 0) failures.push(`${afterUndo} replies were sent although they were taken back`)
  const failed = [...states.values()].filter(state => state === 'failed').length
  return {
    lost,
    duplicated,
    failures,
    remark: `${failed} replies failed visibly, ${written.filter(it => it.isUndone).length} were taken back`,
  }
}
