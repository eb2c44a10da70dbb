import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { MessageFilter } from './contract.ts'
import { type Listed, listFiltered, orderOf, type Place, passes } from './filter.server.ts'
import { hasFailedLetter, listWithFailedLetter } from './letter.server.ts'
import { prepareSearch } from './search.server.ts'

/** Hits that an index gives in no order and that are then sorted, at most. */
const MOST_HITS = 2000
/** So many messages are looked at in one go: enough for a page when one in ten fits. */
const STRETCH = 1000
/** The first of several is shorter: what is rare is sooner found by an index. */
const FIRST_STRETCH = 250
/** So many stretches are read where an index cannot help, or gives more hits than can be sorted. */
const MOST_STRETCHES = 6

/** Some messages of a list in its order. */
interface Stretch {
  readonly ids: readonly string[]
  /** From where to look on; null at the end. */
  readonly next: string | null
}

/** Where messages of a list come from, and what those that belong to it have to fulfil. */
interface Source {
  list(place: Place, most: number): Listed
  /** The column that has their order. */
  readonly orderedBy: 'id' | 'number'
  readonly conditions: readonly Expression<SqlBool>[]
}

/**
 * The next `wanted` messages of a list, or fewer when they are far apart: no call looks further than a fixed number of
 * messages, and `next` says where the one after it goes on.
 */
export async function findIds(
  db: Database,
  filter: MessageFilter,
  place: Place,
  wanted: number,
): Promise<Stretch> {
  const { q, letter } = filter
  // Hits of an index that all fail the filters would be looked at in vain.
  if ((q !== undefined || letter) && (await isEmpty(db, filter, place))) return { ids: [], next: null }
  if (q !== undefined) return await findText(db, { ...filter, q }, place, wanted)
  return await readStretch(db, letter ? withFailedLetter(filter) : all(filter), place, wanted)
}

/** Whether from here on no message passes the filters, or none has a letter that failed; the text is left aside. */
async function isEmpty(db: Database, filter: MessageFilter, place: Place): Promise<boolean> {
  const sources = [
    ...(passes(filter).length > 0 ? [all(filter)] : []),
    ...(filter.letter ? [withFailedLetter({})] : []),
  ]
  const stretches = await Promise.all(sources.map(source => readStretch(db, source, place, 1)))
  return stretches.some(({ ids }) => ids.length === 0)
}

function all(filter: MessageFilter): Source {
  return {
    list: (place, most) => listFiltered('id', filter, place, most),
    orderedBy: 'id',
    conditions: [],
  }
}

/** Failed letters are few, so they are where to begin; each message is then looked at by its id. */
function withFailedLetter(filter: MessageFilter, matches: readonly Expression<SqlBool>[] = []): Source {
  const conditions = [...passes(filter), ...matches]
  const isOneOf = sql<SqlBool>`(select 1 from messages
    where messages.id = listed.id and ${sql.join(conditions, sql` and `)}) = 1`
  return {
    list: listWithFailedLetter,
    orderedBy: 'id',
    conditions: conditions.length > 0 ? [isOneOf] : [],
  }
}

async function findText(
  db: Database,
  filter: MessageFilter & { q: string },
  place: Place,
  wanted: number,
): Promise<Stretch> {
  const search = prepareSearch(db, filter.q)
  if (search.kind === 'in order') {
    const conditions = [...fits(filter), ...search.conditions]
    return await readStretch(db, { list: search.list, orderedBy: 'number', conditions }, place, wanted)
  }
  const source: Source = filter.letter
    ? withFailedLetter(filter, [search.matches])
    : {
        list: (from, most) => listFiltered('*', filter, from, most),
        orderedBy: 'id',
        conditions: [search.matches],
      }
  const first = await readStretch(db, source, place, wanted, FIRST_STRETCH)
  const read = async (from: string) => await readStretch(db, source, { ...place, from }, wanted)
  // Where hits are as common as this, reading on is sooner done than gathering them all.
  const isCommon = first.ids.length * ((MOST_STRETCHES * STRETCH) / FIRST_STRETCH) >= wanted
  const hits = first.next === null || isCommon ? null : await search.hits(MOST_HITS + 1)
  if (hits && hits.length <= MOST_HITS) return await keepFitting(db, hits, filter, place, wanted)
  return await readOn(first, read, wanted)
}

/** Looks at no more than a stretch, and ends as soon as there is a page. */
async function readStretch(
  db: Database,
  source: Source,
  place: Place,
  wanted: number,
  length = STRETCH,
): Promise<Stretch> {
  const { list, orderedBy, conditions } = source
  const most = conditions.length === 0 ? wanted + 1 : length
  const listed = db.selectFrom(list(place, most).as('listed')).select('listed.id')
  const inOrder = listed.orderBy(`listed.${orderedBy}`, orderOf(place))
  const rows = await inOrder
    .where(eb => eb.and([...conditions]))
    .limit(wanted + 1)
    .execute()
  const ids = rows.slice(0, wanted).map(({ id }) => id)
  if (rows.length > wanted) return { ids, next: ids.at(-1) ?? null }
  if (conditions.length === 0) return { ids, next: null }
  const last = await inOrder
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst()
  return { ids, next: last?.id ?? null }
}

async function readOn(
  first: Stretch,
  read: (from: string) => Promise<Stretch>,
  wanted: number,
): Promise<Stretch> {
  let { ids, next } = first
  for (let count = 1; count < MOST_STRETCHES && next !== null && ids.length < wanted; count++) {
    const stretch = await read(next)
    ids = [...ids, ...stretch.ids]
    next = stretch.next
  }
  if (ids.length <= wanted) return { ids, next }
  return { ids: ids.slice(0, wanted), next: ids[wanted - 1] ?? null }
}

/** All hits are known: the page is cut out of those that pass the filters too. */
async function keepFitting(
  db: Database,
  hits: readonly string[],
  filter: MessageFilter,
  place: Place,
  wanted: number,
): Promise<Stretch> {
  const sign = place.towards === 'older' ? -1 : 1
  const isBehind = (id: string) => place.from === undefined || compare(id, place.from) === sign
  const ids = hits.filter(isBehind).sort((one, other) => sign * compare(one, other))
  const page = await fitting(db, ids, fits(filter))
  return { ids: page.slice(0, wanted), next: page.length > wanted ? (page[wanted - 1] ?? null) : null }
}

/** The conditions of all filters but the text on a message that is `listed`. */
function fits(filter: MessageFilter): Expression<SqlBool>[] {
  return [...passes(filter), ...(filter.letter ? [hasFailedLetter] : [])]
}

async function fitting(db: Database, ids: readonly string[], conditions: readonly Expression<SqlBool>[]) {
  if (ids.length === 0 || conditions.length === 0) return ids
  const rows = await db
    .selectFrom('messages as listed')
    .select('listed.id')
    .where('listed.id', 'in', ids)
    .where(eb => eb.and([...conditions]))
    .execute()
  const kept = new Set(rows.map(({ id }) => id))
  return ids.filter(id => kept.has(id))
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
