import { createHmac } from 'node:crypto'
import { canonicalEmail } from '../../../auth/staff-email.ts'
import { findConsumerGuide } from '../../../content/site-content.ts'
import { newId } from '../../../database/id.ts'
import { whereWithin } from '../../../database/lifetime.ts'
import { lock } from '../../../database/locks.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { describeTime, renderEmail } from '../../../mail/email.ts'
import { replyAddress } from '../../../mail/reply-address.ts'
import { type Clock, days, hours, isoAfter } from '../../../platform/clock.ts'
import type { Keys } from '../../../platform/keys.ts'
import type { Services } from '../../../services.ts'
import type { PublicValues } from '../../settings/contract.ts'
import { statusUrl } from '../../status/tokens.server.ts'
import { addEvent, lockMessage } from '../history/entries.server.ts'
import { ensureReplyKey } from '../mail-in/find-conversation.server.ts'
import { addMailId } from '../messages/store.server.ts'

/** How long an address that got an acknowledgement gets no other one. */
export const ONE_ACKNOWLEDGEMENT_PER = days(1)
/** Later, it would surprise more than it helps: the server was down, or a backup was restored. */
const MAX_DELAY = hours(6)
/** Far more than write to an agency: beyond it somebody makes the agency write to strangers, from many addresses. */
export const MAX_PER_HOUR = 60
/** Enquiries decided in one turn, so that other emails do not wait long. */
const AT_ONCE = 20

/** Writes the acknowledgements of enquiries that were accepted since the last turn. */
export async function sendAcknowledgements(services: Services): Promise<void> {
  const waiting = await selectWaiting(services.db).orderBy('created_at').limit(AT_ONCE).execute()
  if (waiting.length === 0) return
  const values = await services.settings.publicValues()
  const isOn = await canSend(services, values)
  for (const { message_id: id } of waiting)
    await inTransaction(services.db, async transaction => {
      await lock(transaction, 'acknowledgements')
      await decide(services, transaction, id, isOn ? values : null)
    })
}

/** Visitors get emails only while it is known that these can be sent. */
async function canSend({ mail, mailTest }: Services, values: PublicValues): Promise<boolean> {
  if (values.acknowledgement_enabled !== 'true' || (await mail.transport()) === 'mailbox') return false
  return await mailTest.isPassed()
}

/** @param values null while none are sent */
async function decide(services: Services, transaction: Transaction, id: string, values: PublicValues | null) {
  const request = await selectWaiting(transaction).where('message_id', '=', id).executeTakeFirst()
  // Another node may have decided first.
  if (!request) return
  const message = await lockMessage(transaction, id)
  const isLate = request.created_at < isoAfter(services.clock, -MAX_DELAY)
  const isWanted = message && values && message.status !== 'spam' && !isLate
  if (isWanted && (await claimRecipient(services, transaction, message, values)))
    return await queueEmail(services, transaction, message, values)
  await transaction.deleteFrom('acknowledgements').where('message_id', '=', id).execute()
  await services.log.within(transaction, 'info', 'EmailService', 'No acknowledgement sent', { messageId: id })
}

/** Records that the address gets this one. @returns false when it got one today, is no visitor's, or many got one lately */
async function claimRecipient(
  { clock, config, keys }: Services,
  transaction: Transaction,
  { id, email }: MessageRow,
  { form_email: own }: PublicValues,
): Promise<boolean> {
  if ([own, config.mailFrom].some(it => mailboxOf(it) === mailboxOf(email))) return false
  if ((await countSent(transaction, clock, hours(1))) >= MAX_PER_HOUR) return false
  if (!(await canReach(transaction, clock, keys, email))) return false
  const recipient_hash = recipientHash(keys, email)
  const got = await transaction
    .selectFrom('acknowledgements')
    .select('message_id')
    .where('recipient_hash', '=', recipient_hash)
    .where(whereWithin('decided_at', clock, -ONE_ACKNOWLEDGEMENT_PER, 0))
    .limit(1)
    .executeTakeFirst()
  if (got) return false
  const change = { recipient_hash, decided_at: isoAfter(clock) }
  await transaction.updateTable('acknowledgements').set(change).where('message_id', '=', id).execute()
  return true
}

/** Whether an address may get an email that nobody wrote: it is a person's, as far as is known, and none has come back lately. */
export async function canReach(db: Database, clock: Clock, keys: Keys, email: string): Promise<boolean> {
  if (OF_PROGRAMS.test(mailboxOf(email))) return false
  return !(await isUndeliverable(db, clock, recipientHash(keys, email)))
}

/** Names a recipient in the database, so that it does not say the address. */
export function recipientHash({ acknowledged }: Pick<Keys, 'acknowledged'>, email: string): string {
  return createHmac('sha256', acknowledged).update(mailboxOf(email)).digest('base64url')
}

/** How long an address whose server has sent an email back gets no other automatic one. */
export const UNDELIVERABLE_FOR = days(30)

async function isUndeliverable(db: Database, clock: Clock, address_hash: string): Promise<boolean> {
  const reported = db
    .selectFrom('undeliverable')
    .select('reported_at')
    .where('address_hash', '=', address_hash)
  const within = reported.where(whereWithin('reported_at', clock, -UNDELIVERABLE_FOR, 0))
  return (await within.executeTakeFirst()) !== undefined
}

/** Who would answer is a program or a list of people, whose address somebody else has entered. */
const OF_PROGRAMS =
  /^(?:mailer-daemon|postmaster|(?:no|do-?not)-?reply|bounces?|owner-[^@]*|[^@]*-(?:bounces?|owner|request))@/

/**
 * Without a tag, as in `name+tag@`: with most providers all of these reach one person. Google also ignores dots, and has
 * two names.
 */
function mailboxOf(email: string): string {
  const [, name = '', host = ''] = /^(.+?)(?:\+[^@]*)?@([^@]*)$/.exec(canonicalEmail(email)) ?? []
  const isGoogle = host === 'gmail.com' || host === 'googlemail.com'
  return isGoogle ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** Of the last milliseconds. */
async function countSent(db: Database, clock: Clock, period: number): Promise<number> {
  const { count } = await db
    .selectFrom('acknowledgements')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('recipient_hash', 'is not', null)
    .where(whereWithin('decided_at', clock, -period, 0))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * The email by which a visitor learns that the enquiry was received, and the event that shows in the conversation what became of
 * it. It has nothing that a visitor wrote: anybody can enter a stranger's address, and must not be able to send that person a
 * text.
 */
async function queueEmail(
  { clock, config, mail, outbox, content, emailSignature, mailConnection }: Services,
  transaction: Transaction,
  message: MessageRow,
  { form_email: replyTo, site_name: siteName }: PublicValues,
) {
  const { id: messageId, email: to, reference, due_at } = message
  const { content: live, hidden } = content.read()
  const signature = emailSignature(siteName)
  const mailbox = await mailConnection()
  const address = mailbox ? replyAddress(mailbox, await ensureReplyKey(transaction, message)) : replyTo
  const { labels, acknowledgement: texts } = signature.texts.emails
  const facts: [string, string][] = [[labels.reference, reference]]
  // The hours of the sample promise nothing to visitors.
  if (due_at !== null && !hidden.has('officeHours'))
    facts.push([texts.answerBy, describeTime(new Date(due_at), 'full', live.company.timeZone, signature)])
  const rendered = renderEmail(
    {
      to,
      replyTo: { name: siteName, address },
      subject: texts.subject(reference),
      opening: texts.opening(siteName),
      facts,
      link: { label: texts.link, url: findConsumerGuide(live.links) },
      further: { label: signature.texts.emails.reply.follow, url: statusUrl({ config }) },
      closing: texts.closing,
    },
    signature,
  )
  const [id, mailId] = [newId(clock()), mail.newMessageId()]
  const email = {
    ...{ ...rendered, messageId: mailId, isAutomatic: true, needsProvider: true },
    statusLinkOf: messageId,
  } as const
  await addEvent({ transaction, clock, byId: null }, messageId, 'acknowledged', { id })
  await outbox.add(transaction, email, { kind: 'acknowledgement', id, messageId })
  await addMailId({ transaction, clock }, { mail_id: mailId, message_id: messageId, entry_id: id })
}

function selectWaiting(db: Database) {
  return db
    .selectFrom('acknowledgements')
    .select(['message_id', 'created_at'])
    .where('decided_at', 'is', null)
}

/**
 * Forgets who got an acknowledgement once that no longer counts. A time more than a day ahead was written by a clock that has
 * been set back since; a nearer one may be right, while this clock is behind.
 */
export async function deleteOldAcknowledgements({ db, clock }: Services): Promise<void> {
  await db
    .deleteFrom('acknowledgements')
    .where('decided_at', 'is not', null)
    .where(eb => eb.not(whereWithin('decided_at', clock, -ONE_ACKNOWLEDGEMENT_PER, ONE_ACKNOWLEDGEMENT_PER)))
    .execute()
  await db
    .deleteFrom('undeliverable')
    .where(eb => eb.not(whereWithin('reported_at', clock, -UNDELIVERABLE_FOR, UNDELIVERABLE_FOR)))
    .execute()
}
