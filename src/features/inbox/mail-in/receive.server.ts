import { permissionsOf } from '../../../auth/permissions.ts'
import { canonicalEmail } from '../../../auth/staff-email.ts'
import { newId } from '../../../database/id.ts'
import { lock } from '../../../database/locks.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import type { FetchedMail } from '../../../mail/mail-source.ts'
import type { ReplyMailbox } from '../../../mail/reply-address.ts'
import { isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import type { PublicValues } from '../../settings/contract.ts'
import { areFull, lockThread, raiseVersion, type Work } from '../history/entries.server.ts'
import { addMailNote } from '../history/notes.server.ts'
import { findMessage } from '../messages/store.server.ts'
import { addAnsweredNotices } from '../notices/notices.server.ts'
import { addParticipants, findNamed, isSame, outboxId, partOf } from './find-conversation.server.ts'
import { bareMail } from './mail-parser.server.ts'
import type { MailAddress, ParsedMail } from './parsed-mail.ts'
import { senderOfQuote, showInlineAnswers } from './quotes.ts'
import { recordReturn } from './returned-email.server.ts'
import {
  isForDigest,
  KEPT_PER_CONVERSATION,
  KEPT_PER_PERSON,
  MAIL_NOTICES,
  noticeKept,
  noticeMore,
  noticeNew,
} from './staff-notices.server.ts'
import {
  type Arrival,
  appendMail,
  insertConversation,
  keepFiles,
  rememberMail,
  withoutTokens,
} from './store-mail.server.ts'

interface Options {
  /** From before the mailbox was connected: it is closed and read, without clock, notice and event. */
  readonly isEarlier: boolean
  /** Of the mailbox. */
  readonly address: string
}

/** `known`: it is stored already. `own`: Landfall has sent it. `forgotten`: it was deleted or erased. */
export interface Receipt {
  readonly kind: 'added' | 'known' | 'own' | 'forgotten'
  /** Where it was added. */
  readonly messageId?: string
}

/** What is known before the transaction. */
interface Known {
  readonly values: PublicValues
  readonly mailbox: ReplyMailbox
  /** Addresses of the agency, which have no part in a conversation. */
  readonly own: readonly string[]
  /** Those from which our emails come. */
  readonly senders: readonly string[]
  /** The host in the Message-IDs of our emails. */
  readonly ownHost: string
}

/**
 * Adds a mail to the conversation that it belongs to, or begins one, once for each mail. Never throws for what a mail has in it: one
 * that cannot be read is stored as it came. Throws when the database fails, and then nothing is stored.
 */
export async function receiveMail(
  services: Services,
  fetched: FetchedMail,
  options: Options,
): Promise<Receipt> {
  const { db, clock, settings, config, mailParser } = services
  const values = await settings.publicValues()
  const connection = await services.mailConnection()
  const senders = [config.mailFrom, await services.mail.sender()]
  const own = [options.address, values.form_email, ...senders]
  const known: Known = {
    values,
    mailbox: { address: options.address, plusAddresses: connection?.plusAddresses ?? false },
    own,
    senders,
    ownHost: hostOf(config.mailFrom),
  }
  const { raw, omitted = 0 } = fetched
  const mail = await mailParser.parse({ raw, omitted, ownDomains: [...new Set(own.map(hostOf))] })
  const receivedAt = timeOf(fetched.receivedAt, isoAfter(clock))
  const isSpace = await services.fileSpace.hasRoom()
  const arrival = { mail, raw, receivedAt, isEarlier: options.isEarlier, isSpace }
  const store = (arriving: typeof arrival) =>
    inTransaction(db, async transaction => {
      const redacted = { ...arriving, mail: await withoutTokens(transaction, arriving.mail) }
      return await receive(services, transaction, redacted, known)
    })
  try {
    return await store(arrival)
  } catch (error) {
    if (!isOfData(error)) throw error
    // Otherwise it would come again for ever, and hold up every mail after it.
    return await store({ ...arrival, mail: bareMail(fetched) })
  }
}

/** What PostgreSQL says of a text that it cannot store, or that is too large for it: classes 22 and 54. */
const isOfData = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(?:22|54)...$/.test(String(error.code))

const hostOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** What a mailbox says, but never in the future. */
function timeOf(received: string, now: string): string {
  const time = new Date(received)
  return Number.isNaN(time.getTime()) || time.toISOString() > now ? now : time.toISOString()
}

/** Whether a mail names us as its sender, as anybody can. */
const isFromUs = ({ from }: ParsedMail, { senders }: Known) =>
  senders.some(address => isSame(address, from.address))

/** Mail that names us as its sender starts nothing: what happens because of it could come back to us for ever. */
function quietIfOurs<T extends { readonly mail: ParsedMail }>(arrival: T, known: Known): T {
  const { mail } = arrival
  return isFromUs(mail, known) && mail.automatic === null
    ? { ...arrival, mail: { ...mail, automatic: 'reply' } }
    : arrival
}

async function receive(
  services: Services,
  transaction: Transaction,
  arriving: Omit<Arrival, 'mailId'>,
  known: Known,
): Promise<Receipt> {
  const { clock, log } = services
  // One at a time on all nodes, so that each is stored once.
  await lock(transaction, 'mailIn')
  const { mail } = arriving
  const seen = await recognise(services, transaction, arriving, known)
  if (typeof seen !== 'string') return seen
  const arrival = { ...arriving, mailId: seen }
  const work = { transaction, clock, byId: null }
  const messageId = await place(services, work, arrival, known)
  const facts = { messageId, automatic: mail.automatic, isEarlier: arrival.isEarlier }
  await log.within(transaction, 'info', 'EmailService', 'Mail received', facts)
  return { kind: 'added', messageId }
}

/** Whether a mail is to be left out. @returns otherwise the Message-ID by which it is stored */
async function recognise(
  { erased }: Services,
  transaction: Transaction,
  { mail, receivedAt }: Omit<Arrival, 'mailId'>,
  known: Known,
): Promise<Receipt | string> {
  const ofContent = `<${mail.contentHash}@mail>`
  const mailId = mail.messageId ?? ofContent
  const own = await findOwn(transaction, [mailId, ...(isFromUs(mail, known) ? mail.repeatedIds : [])], known)
  if (own) return own
  const names = [mailId, mail.identityHash]
  if (await erased.isErased(transaction, names, mail.from.address, receivedAt)) return { kind: 'forgotten' }
  const stored = await findMailId(transaction, mailId)
  if (!stored) return mailId
  if (stored.content_hash === mail.contentHash) return { kind: 'known', messageId: stored.message_id }
  // Another mail with the same id, who came first: neither may be lost.
  const other = await findMailId(transaction, ofContent)
  return other ? { kind: 'known', messageId: other.message_id } : ofContent
}

/**
 * An email of ours, by one of the ids that it may have. It may be a code, a link that signs somebody in, or a notice with what a
 * visitor wrote, and none of them is for who reads the inbox.
 */
async function findOwn(db: Database, ids: readonly string[], { ownHost }: Known): Promise<Receipt | null> {
  for (const id of ids) {
    if (outboxId(id, ownHost) !== null) return { kind: 'own' }
    const stored = await findMailId(db, id)
    if (stored?.content_hash === null) return { kind: 'own', messageId: stored.message_id }
  }
  return null
}

async function findMailId(db: Database, mailId: string) {
  const row = db.selectFrom('mail_ids').select(['message_id', 'content_hash']).where('mail_id', '=', mailId)
  return await row.executeTakeFirst()
}

/** Stores a mail where it belongs. @returns the message */
async function place(services: Services, work: Work, arriving: Arrival, known: Known): Promise<string> {
  const { transaction } = work
  const { mail } = arriving
  const arrival = quietIfOurs(arriving, known)
  const isReport = mail.report !== null && mail.automatic === 'report' && !arriving.isEarlier
  const returned = isReport ? await recordReturn(services, work, mail.report) : null
  const named = returned
    ? ({ id: returned, by: 'key' } as const)
    : await findNamed(transaction, mail, known.ownHost)
  const { message: found, target } = named ? await lockThread(transaction, named.id) : {}
  const message = target ?? found
  if (!named || !message) return await begin(services, work, arrival, known, null)
  const part = await partOf(transaction, message, mail.from.address)
  const author = part === 'visitor' ? undefined : await findAuthor(transaction, mail.from.address)
  if (author && (await keepAsNote(services, work, arriving, { message, author, known }))) return message.id
  const isAdded = (part !== null || named.by === 'key') && !(await areFull(transaction, [message.id]))
  if (!isAdded) return await begin(services, work, arrival, known, message.id)
  const isParty = part !== null || returned !== null
  const sender = isParty ? 'participant' : 'stranger'
  const shown = await withInlineAnswers(transaction, arrival, message)
  await append(services, work, shown, { message, sender, known })
  if (part !== null) await addParticipants(transaction, work.clock, message.id, othersIn(mail, known))
  return message.id
}

export interface Appended {
  readonly message: MessageRow
  readonly sender: 'participant' | 'stranger'
  readonly known: Pick<Known, 'values'> & { readonly mailbox: ReplyMailbox | null }
}

/** Adds a mail to a conversation whose message is locked, and says so to staff. */
export async function append(
  services: Services,
  work: Work,
  arrival: Arrival,
  { message, sender, known }: Appended,
) {
  const isNews = await appendMail(services, work, arrival, { message, sender })
  if (!isNews) return
  // Who has not looked at the last one yet knows that there is something.
  const wasRead = message.is_read === 1
  const isNoticed = wasRead && (await services.rateLimiter.tryConsume(MAIL_NOTICES, 'all'))
  const isEmailed =
    isNoticed &&
    (await noticeMore(services, work.transaction, {
      ...known,
      message,
      mail: arrival.mail,
      isOnPage: arrival.isOnPage,
    }))
  await addAnsweredNotices(work, message, isEmailed)
}

async function begin(
  services: Services,
  work: Work,
  arrival: Arrival,
  known: Known,
  mayBelongTo: string | null,
): Promise<string> {
  const { transaction, clock } = work
  const { mail, isEarlier } = arrival
  const isSilent = isEarlier || mail.automatic !== null
  const isDigested = !isSilent && (await isForDigest(transaction, clock))
  const id = await insertConversation(services, work, arrival, mayBelongTo)
  await addParticipants(transaction, clock, id, othersIn(mail, known))
  const message = isSilent ? undefined : await findMessage(transaction, id)
  if (message) await noticeNew(services, transaction, isDigested, { ...known, message, mail })
  return id
}

/** To whom a mail was sent beside the agency. */
function othersIn({ to, cc }: ParsedMail, { own }: Known): MailAddress[] {
  return [...to, ...cc].filter(({ address }) => !own.some(each => isSame(each, withoutKey(address))))
}

const withoutKey = (address: string) => address.replace(/\+[^@]*@/, '@')

/** Emails of a conversation that a mail may quote. */
const COMPARED_REPLIES = 3

async function withInlineAnswers(
  transaction: Transaction,
  arrival: Arrival,
  { id }: MessageRow,
): Promise<Arrival> {
  if (arrival.mail.quoted === '') return arrival
  const emails = await transaction
    .selectFrom('entries')
    .select('body')
    .where('message_id', '=', id)
    .where('kind', '=', 'reply')
    .orderBy('seq', 'desc')
    .limit(COMPARED_REPLIES)
    .execute()
  const { text: written, quoted } = arrival.mail
  const split = showInlineAnswers(
    { written, quoted },
    emails.map(({ body }) => body),
  )
  return { ...arrival, mail: { ...arrival.mail, text: split.written, quoted: split.quoted } }
}

/** The member of staff whom a mail names as its sender. */
async function findAuthor(transaction: Transaction, address: string) {
  if (address === '') return
  const users = transaction.selectFrom('users').select(['id', 'email', 'role', 'inbox'])
  const user = await users.where('email', '=', canonicalEmail(address)).executeTakeFirst()
  return user && permissionsOf(user.role, user.inbox).includes('inbox:answer') ? user : undefined
}

/** What staff quote of others is news; our own email, which they answer, is not. */
function isForwarded({ quoted }: ParsedMail, { own, values }: Known): boolean {
  const sender = senderOfQuote(quoted)
  if (sender === null || sender === values.site_name) return false
  return !own.some(each => isSame(each, withoutKey(sender)))
}

interface Keeping {
  readonly message: MessageRow
  readonly author: { readonly id: string; readonly email: string }
  readonly known: Known
}

/**
 * What staff write to a conversation's address is for staff: it is never passed on, who has written it. @returns false when
 * there is no room for another note
 */
async function keepAsNote(
  services: Services,
  work: Work,
  arrival: Arrival,
  { message, author, known }: Keeping,
) {
  const { mail, isEarlier } = arrival
  const entryId = newId(work.clock())
  const body = isForwarded(mail, known) ? `${mail.text}\n\n${mail.quoted}` : mail.text || mail.subject
  const note = { id: entryId, message_id: message.id, author_id: author.id, body } as const
  if (!(await addMailNote(work, note))) return false
  const place = { entryId, messageId: message.id }
  await keepFiles(work, arrival, place)
  await rememberMail(work, arrival, place)
  await raiseVersion(work.transaction, message)
  if (isEarlier || mail.automatic !== null) return true
  const { rateLimiter } = services
  if (!(await rateLimiter.tryConsume(KEPT_PER_CONVERSATION, message.id))) return true
  if (await rateLimiter.tryConsume(KEPT_PER_PERSON, author.id))
    await noticeKept(services, work.transaction, author.email, { ...known, message })
  return true
}
