import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { CannedReplyRow } from '../../../database/conversation-tables.ts'
import { isPostgres } from '../../../database/engine.ts'
import { newId } from '../../../database/id.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { signatureLines } from '../../../mail/email.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import { readSigner } from '../replies/reply.server.ts'
import {
  type CannedReply,
  type CannedReplyChange,
  cannedReplies,
  MAX_CANNED_BYTES,
  MAX_CANNED_REPLIES,
  type NewCannedReply,
} from './contract.ts'

const GONE = 'This canned reply no longer exists'

/** @throws {HttpError} 409 when there are too many */
async function addCannedReply(db: Database, clock: Clock, text: NewCannedReply): Promise<CannedReply> {
  return await inTransaction(db, async transaction => {
    const rows = await lockAll(transaction)
    const { length: position } = rows
    if (position >= MAX_CANNED_REPLIES)
      throwHttpError(409, `There are ${MAX_CANNED_REPLIES} canned replies already. Delete one first.`)
    assertRoom(rows, '', allOf(text))
    const row = {
      id: newId(clock()),
      ...text,
      variants: JSON.stringify(text.variants),
      position,
      uses: 0,
      updated_at: isoAfter(clock),
    }
    await transaction.insertInto('canned_replies').values(row).execute()
    return toCannedReply(row)
  })
}

/** @throws {HttpError} 404; 409 when somebody has changed what the caller has not seen */
async function changeCannedReply(
  db: Database,
  clock: Clock,
  { id, position, title, body, variants, version }: CannedReplyChange,
): Promise<CannedReply> {
  return await inTransaction(db, async transaction => {
    const rows = await lockAll(transaction)
    const row = rows.find(it => it.id === id) ?? throwHttpError(404, GONE)
    assertSeen(row, version)
    const change = {
      title: title ?? row.title,
      body: body ?? row.body,
      variants: variants ? JSON.stringify(variants) : row.variants,
    }
    assertRoom(rows, allOf(toCannedReply(row)), allOf(toCannedReply({ ...row, ...change })))
    await transaction
      .updateTable('canned_replies')
      .set({ ...change, updated_at: isoAfter(clock) })
      .where('id', '=', id)
      .execute()
    const others = rows.filter(it => it !== row)
    if (position !== undefined) await number(transaction, others.toSpliced(position, 0, row))
    return toCannedReply({ ...row, ...change })
  })
}

/** What is too much already may still become shorter. @throws {HttpError} 409 */
function assertRoom(rows: readonly CannedReplyRow[], before: string, after: string) {
  const added = Buffer.byteLength(after) - Buffer.byteLength(before)
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(allOf(toCannedReply(row))), added)
  if (added <= 0 || bytes <= MAX_CANNED_BYTES) return
  const kibibytes = MAX_CANNED_BYTES / 1024
  throwHttpError(
    409,
    `All canned replies together hold at most ${kibibytes} KiB. Shorten this one, or delete another one first.`,
  )
}

function assertSeen(row: CannedReplyRow, version: string | undefined) {
  if (version === undefined || version === versionOf(row)) return
  throwHttpError(409, 'Somebody else has changed this canned reply', {
    code: 'canned_reply_changed',
    fields: { cannedReply: toCannedReply(row) },
  })
}

/** The others close the gap, so that positions count from 0 without one. @throws {HttpError} 404 */
async function deleteCannedReply(db: Database, id: string): Promise<void> {
  await inTransaction(db, async transaction => {
    const rows = await lockAll(transaction)
    const others = rows.filter(row => row.id !== id)
    if (others.length === rows.length) throwHttpError(404, GONE)
    await transaction.deleteFrom('canned_replies').where('id', '=', id).execute()
    await number(transaction, others)
  })
}

async function number(transaction: Database, rows: readonly CannedReplyRow[]) {
  for (const [position, row] of rows.entries())
    if (row.position !== position)
      await transaction.updateTable('canned_replies').set({ position }).where('id', '=', row.id).execute()
}

/** Those who change the list at the same time wait for each other. SQLite has one writer. */
async function lockAll(transaction: Database): Promise<CannedReplyRow[]> {
  if (isPostgres(transaction))
    await sql`lock table canned_replies in share row exclusive mode`.execute(transaction)
  return await selectAll(transaction)
}

/** In their order. */
async function selectAll(db: Database): Promise<CannedReplyRow[]> {
  const all = db.selectFrom('canned_replies').selectAll()
  return await all.orderBy('position').orderBy('id').limit(MAX_CANNED_REPLIES).execute()
}

/** Its text in all languages. */
const allOf = ({ body, variants }: Pick<CannedReply, 'body' | 'variants'>) =>
  [body, ...variants.map(variant => variant.body)].join('')

function toCannedReply(row: CannedReplyRow): CannedReply {
  const { id, title, body, uses } = row
  return { id, version: versionOf(row), title, body, variants: JSON.parse(row.variants), uses }
}

/** Of what was written, so that moving or using a canned reply makes no copy out of date. */
function versionOf({ title, body, variants }: CannedReplyRow): string {
  return hash('sha256', JSON.stringify([title, body, variants]))
}

export function serveCannedReplies(router: ApiRouter): void {
  const { db, clock, content, settings, emailSignature } = router.services

  serve(router, cannedReplies.list, async (_input, { user }) => {
    const { site_name: agency } = await settings.publicValues()
    const { name: agent } = content.read().content.agent
    const signature = signatureLines(emailSignature(agency))
    const signer = await readSigner(db, user.id)
    return { cannedReplies: (await selectAll(db)).map(toCannedReply), agent, agency, signer, signature }
  })

  serve(router, cannedReplies.add, async (text, { log }) => {
    const cannedReply = await addCannedReply(db, clock, text)
    log('info', 'API', 'Canned reply added', { cannedReplyId: cannedReply.id })
    return { cannedReply }
  })

  serve(router, cannedReplies.change, async (change, { log }) => {
    const cannedReply = await changeCannedReply(db, clock, change)
    log('info', 'API', 'Canned reply changed', { cannedReplyId: cannedReply.id })
    return { cannedReply }
  })

  serve(router, cannedReplies.delete, async ({ id }, { log }) => {
    await deleteCannedReply(db, id)
    log('info', 'API', 'Canned reply deleted', { cannedReplyId: id })
    return {}
  })

  serve(router, cannedReplies.use, async ({ id }) => {
    const used = db.updateTable('canned_replies').where('id', '=', id)
    await used.set(eb => ({ uses: eb('uses', '+', 1) })).execute()
    return {}
  })
}
