import { type SqlBool, sql } from 'kysely'
import { comparedDigits, comparedPhone } from '../../database/phone.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import type { OpenMessage } from './contract.ts'
import { excerptOf } from './select-messages.server.ts'

/** Enough to see that somebody has written before; the rest is found by a search. */
const MAX_LISTED = 20

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
