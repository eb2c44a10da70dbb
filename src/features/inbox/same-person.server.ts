import { type SqlBool, sql } from 'kysely'
import { comparedDigits, comparedPhone } from '../../database/phone.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import type { OpenMessage } from './contract.ts'
import { excerptOf } from './select-messages.server.ts'

/** Enough to see that somebody has written before; the rest is found by a search. */
const MAX_LISTED = 20

/** What is shown of another message. */
type RelatedRow = Pick<MessageRow, (typeof RELATED)[number]>
type Person = Pick<MessageRow, 'id' | 'email' | 'phone'>

/** Other messages with the same email address or phone number, the newest first. */
export async function findSamePerson(db: Database, person: Person): Promise<OpenMessage['samePerson']> {
  const number = comparedDigits(person.phone)
  const [byEmail, byPhone] = await Promise.all([
    select(db, person, sql<SqlBool>`lower(email) = ${person.email.toLowerCase()}`),
    number === null ? [] : select(db, person, sql<SqlBool>`${comparedPhone(db)} = ${number}`),
  ])
  const all = new Map([...byEmail, ...byPhone].map(row => [row.id, row]))
  const newestFirst = [...all.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
  return newestFirst.slice(0, MAX_LISTED).map(toRelated)
}

/** Whether two messages have the same email address or phone number. What is stored of one person is erased together. */
export function isSamePerson(one: Person, other: Person): boolean {
  const number = comparedDigits(one.phone)
  const hasSameNumber = number !== null && number === comparedDigits(other.phone)
  return hasSameNumber || one.email.toLowerCase() === other.email.toLowerCase()
}

export function toRelated(row: RelatedRow): OpenMessage['samePerson'][number] {
  const { id, reference, status, form_type: formType, created_at: createdAt } = row
  return { id, reference, status, formType, createdAt, excerpt: excerptOf(row.excerpt ?? row.message) }
}

export const RELATED = ['id', 'reference', 'form_type', 'status', 'excerpt', 'message', 'created_at'] as const

async function select(db: Database, { id }: Person, isSame: ReturnType<typeof sql<SqlBool>>) {
  return await db
    .selectFrom('messages')
    .select(RELATED)
    .where(isSame)
    .where('id', '!=', id)
    .where('merged_into', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
}
