import { type SqlBool, sql } from 'kysely'
import { isPostgres } from '../../database/engine.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import type { OpenMessage } from './contract.ts'
import { excerptOf } from './select-messages.server.ts'

/** Enough to see that somebody has written before; the rest is found by a search. */
const MAX_LISTED = 20
/** Digits. A number with fewer is a slip, which several people may share. */
const MIN_DIGITS = 8
/** Digits that a number has with and without its country. */
const COMPARED_DIGITS = 9

/** What is shown of another message. */
type RelatedRow = Pick<MessageRow, (typeof RELATED)[number]>
type Person = Pick<MessageRow, 'id' | 'email' | 'phone'>

/** Other messages with the same email address or phone number, the newest first. */
export async function findSamePerson(db: Database, person: Person): Promise<OpenMessage['samePerson']> {
  const number = comparedDigits(person.phone)
  const [byEmail, byPhone] = await Promise.all([
    select(db, person, sql<SqlBool>`lower(email) = ${person.email.toLowerCase()}`),
    number === null ? [] : select(db, person, sql<SqlBool>`${comparedInSql(db)} = ${number}`),
  ])
  const all = new Map([...byEmail, ...byPhone].map(row => [row.id, row]))
  const newestFirst = [...all.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
  return newestFirst.slice(0, MAX_LISTED).map(toRelated)
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

/** Null for what is no number. */
function comparedDigits(phone: string | null): string | null {
  const plain = (phone ?? '').replace(/[ \-().+/]/g, '')
  return /^\d+$/.test(plain) && plain.length >= MIN_DIGITS ? plain.slice(-COMPARED_DIGITS) : null
}

/** An index has exactly this expression. */
function comparedInSql(db: Database) {
  const plain = sql`replace(replace(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), '+', '')`
  return isPostgres(db) ? sql`right(${plain}, 9)` : sql`substr(${plain}, -9)`
}
