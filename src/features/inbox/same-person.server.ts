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
  return newestFirst.slice(0, MAX_LISTED).map(({ form_type, created_at, excerpt, message, ...same }) => ({
    ...same,
    formType: form_type,
    createdAt: created_at,
    excerpt: excerptOf(excerpt ?? message),
  }))
}

async function select(db: Database, { id }: Person, isSame: ReturnType<typeof sql<SqlBool>>) {
  return await db
    .selectFrom('messages')
    .select(['id', 'reference', 'form_type', 'status', 'excerpt', 'message', 'created_at'])
    .where(isSame)
    .where('id', '!=', id)
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
