import { hashToken, newToken } from '../../auth/session.ts'
import { whereWithin } from '../../database/lifetime.ts'
import type { Database, MessageRow, Tables } from '../../database/tables.ts'
import { STATUS_TOKEN } from '../../mail/email.ts'
import { type Clock, days, isoAfter, minutes } from '../../platform/clock.ts'
import { STATUS_PATH } from './contract.ts'

/** The address of the page in an email. Its token is in the fragment, which no browser sends: it is in no log and no Referer. */
export const statusUrl = ({ config }: { readonly config: { readonly publicUrl: string } }) =>
  `${config.publicUrl}${STATUS_PATH}#${STATUS_TOKEN}`

type Kind = Tables['visitor_tokens']['kind']

interface Store {
  readonly db: Database
  readonly clock: Clock
}

/** How long the links of an enquiry work after the last that was said in it. */
const LINK_LIFETIME = days(90)
/** Links of one mail: far more than any conversation quotes. */
const MOST_ENDED = 500
/** How long a browser may read and write after its code. */
export const ACCESS_LIFETIME = minutes(30)

/** Makes a token with which a visitor sees the page of an enquiry. Only its hash is stored. @returns the token */
export async function addVisitorToken({ db, clock }: Store, messageId: string, kind: Kind): Promise<string> {
  const token = newToken()
  const row = { token_hash: hashToken(token), message_id: messageId, kind, created_at: isoAfter(clock) }
  await db.insertInto('visitor_tokens').values(row).execute()
  return token
}

/** A token for an email to this address; empty where the message no longer has it: who reads there may be somebody else. */
export async function newLinkToken({ db, clock }: Store, messageId: string, to: string): Promise<string> {
  const row = db.selectFrom('messages').select('email').where('id', '=', messageId)
  const email = (await row.executeTakeFirst())?.email ?? ''
  if (email.toLowerCase() !== to.toLowerCase()) return ''
  return await addVisitorToken({ db, clock }, messageId, 'link')
}

/** The message of a token; undefined for one that is unknown, revoked or expired, or whose conversation is spam. */
export async function findByToken(
  { db, clock }: Store,
  token: string,
  kind: Kind,
): Promise<MessageRow | undefined> {
  const found = await db
    .selectFrom('visitor_tokens')
    .innerJoin('messages', 'messages.id', 'visitor_tokens.message_id')
    .selectAll('messages')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .$if(kind === 'access', query =>
      query.where(whereWithin('visitor_tokens.created_at', clock, -ACCESS_LIFETIME, 0)),
    )
    .executeTakeFirst()
  return found && (await canBeFollowed({ db, clock }, found)) ? found : undefined
}

/** Whether an enquiry has a page: not once it is spam, or where nothing was said for so long. What it is merged into counts. */
export async function canBeFollowed({ db, clock }: Store, message: MessageRow): Promise<boolean> {
  const target = db.selectFrom('messages').selectAll().where('id', '=', message.merged_into)
  const parts = [message, message.merged_into === null ? undefined : await target.executeTakeFirst()]
  const after = isoAfter(clock, -LINK_LIFETIME)
  return (
    parts.every(part => part?.status !== 'spam') &&
    parts.some(part => part && (part.last_activity_at ?? part.created_at) > after)
  )
}

/** As mail programs and what checks links write the address of the page. */
const IN_TEXT = /(\/status|%2Fstatus)(#|%23|&#35;|&#x23;)([\w-]{43})(?![\w-])/gi

/** A text without the tokens of links that it has. @param onToken hears of each */
export function withoutTokens(text: string, onToken: (token: string) => void): string {
  return text.replace(IN_TEXT, (_, path: string, hash: string, token: string) => {
    onToken(token)
    return `${path}${hash}…`
  })
}

/** Ends these links. */
export async function endLinks(db: Database, tokens: readonly string[]): Promise<void> {
  const hashes = tokens.slice(0, MOST_ENDED).map(hashToken)
  await db.deleteFrom('visitor_tokens').where('token_hash', 'in', hashes).where('kind', '=', 'link').execute()
}

/** Ends what a code has opened. @returns whether it was still open */
export async function endAccess(db: Database, access: string): Promise<boolean> {
  const own = db.deleteFrom('visitor_tokens').where('token_hash', '=', hashToken(access))
  return (await own.where('kind', '=', 'access').executeTakeFirst()).numDeletedRows > 0n
}

/** Ends all links to these messages, and what browsers may read through them. @returns how many links there were */
export async function revokeLinks(db: Database, messageIds: readonly string[]): Promise<number> {
  if (messageIds.length === 0) return 0
  await db.deleteFrom('visitor_codes').where('message_id', 'in', messageIds).execute()
  // What is on its way to an address that may be wrong.
  await db
    .deleteFrom('outbox')
    .where('message_id', 'in', messageIds)
    .where('kind', '=', 'visitor')
    .where('state', '=', 'waiting')
    .execute()
  const tokens = db.deleteFrom('visitor_tokens').where('message_id', 'in', messageIds)
  const deleted = await tokens.returning('kind').execute()
  return deleted.filter(({ kind }) => kind === 'link').length
}

/** Access that has ended, and links of enquiries in which nothing was said for so long. */
export async function deleteExpiredVisitorTokens({ db, clock }: Store): Promise<void> {
  await db
    .deleteFrom('visitor_tokens')
    .where('kind', '=', 'access')
    .where('created_at', '<=', isoAfter(clock, -ACCESS_LIFETIME))
    .execute()
  await db
    .deleteFrom('visitor_tokens')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages')
          .select('messages.id')
          .whereRef('messages.id', '=', 'visitor_tokens.message_id')
          // What is merged goes on with what it is merged into.
          .where('messages.merged_into', 'is', null)
          .where(eb =>
            eb(
              eb.fn.coalesce('messages.last_activity_at', 'messages.created_at'),
              '<=',
              isoAfter(clock, -LINK_LIFETIME),
            ),
          ),
      ),
    )
    .execute()
}
