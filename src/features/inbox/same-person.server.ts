import { type SqlBool, sql } from 'kysely'
import { comparedDigits, comparedPhone } from '../../database/phone.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import type { OpenMessage } from './contract.ts'
import { EXCERPT_SOURCE, excerptOf } from './select-messages.server.ts'
import { parseDetails } from './store.server.ts'

/** Enough to see that somebody has written before; the rest is found by a search. */
const MAX_LISTED = 20

/** What is shown of another message. */
type RelatedRow = Awaited<ReturnType<ReturnType<typeof selectRelated>['execute']>>[number]
type Person = Pick<MessageRow, 'id' | 'email' | 'phone'>

/**
 * Other messages with the same email address, the newest first, and after them those with the same phone number only. A number
 * is a hint: anybody may type it, and families share one. Decision 051.
 */
export async function findSamePerson(db: Database, person: Person): Promise<OpenMessage['samePerson']> {
  const number = comparedDigits(person.phone)
  const email = person.email.toLowerCase()
  const [byEmail, byPhone] = await Promise.all([
    email === '' ? [] : findIds(db, person, sql<SqlBool>`lower(email) = ${email}`),
    number === null ? [] : findIds(db, person, sql<SqlBool>`${comparedPhone(db)} = ${number}`),
  ])
  const ids = [...new Set([...byEmail, ...byPhone])].slice(0, MAX_LISTED)
  if (ids.length === 0) return []
  const rows = new Map((await selectRelated(db).where('id', 'in', ids).execute()).map(row => [row.id, row]))
  return ids.flatMap(id => {
    const row = rows.get(id)
    return row ? [toRelated(row, person)] : []
  })
}

/** Whether two messages came from the same address, to which their replies go. Without one, nobody is known to be the same. */
export function isSameAddress(one: Pick<Person, 'email'>, other: Pick<Person, 'email'>): boolean {
  return one.email !== '' && one.email.toLowerCase() === other.email.toLowerCase()
}

/** Whether there is a hint that two messages are of one person: their address or their phone number. */
export function mayBeSamePerson(one: Person, other: Person): boolean {
  const number = comparedDigits(one.phone)
  return isSameAddress(one, other) || (number !== null && number === comparedDigits(other.phone))
}

export function toRelated(row: RelatedRow, person: Pick<Person, 'email'>): OpenMessage['samePerson'][number] {
  const { id, reference, name, email, status, form_type: formType, created_at: createdAt } = row
  const excerpt = excerptOf(row.excerpt ?? row.message)
  const isSame = isSameAddress(row, person)
  return { id, reference, name, email, status, formType, createdAt, excerpt, isSameAddress: isSame }
}

/** With all that the visitor said beside the message, which is an entry of the conversation. */
export function toMerged(
  row: RelatedRow,
  person: Pick<Person, 'email'>,
): NonNullable<OpenMessage['merged']>[number] {
  const { phone, service, details } = row
  return { ...toRelated(row, person), phone, service, details: parseDetails(details) }
}

/** Of a long message, no more than an excerpt is made of. */
export function selectRelated(db: Database) {
  return db
    .selectFrom('messages')
    .select(['id', 'reference', 'form_type', 'status', 'excerpt', 'created_at'])
    .select(['name', 'email', 'phone', 'service', 'details'])
    .select(sql<string>`substr(message, 1, ${sql.lit(EXCERPT_SOURCE)})`.as('message'))
}

async function findIds(db: Database, { id }: Person, isSame: ReturnType<typeof sql<SqlBool>>) {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where(isSame)
    .where('id', '!=', id)
    .where('merged_into', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
  return rows.map(row => row.id)
}
