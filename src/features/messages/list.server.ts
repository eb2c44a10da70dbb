import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { MessageFilter } from './contract.ts'
import { orderOf, type Place, passes, selectFiltered } from './filter.server.ts'
import { hasFailedLetter, selectWithFailedLetter } from './letter.server.ts'
import { prepareSearch } from './search.server.ts'

/** A page looks at no more hits than these, so that it costs the same however many there are. */
const MOST_HITS = 2000
/** So many messages are read at a time: enough for a page when one in ten is a hit. */
const STRETCH = 1000
/** So many stretches are read where an index cannot help, or gives more hits than can be sorted. */
const MOST_STRETCHES = 6

/** Some messages of a list in its order. */
interface Stretch {
  readonly ids: readonly string[]
  /** From where to look on; null at the end. */
  readonly next: string | null
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
  if (q !== undefined) return await findText(db, { ...filter, q }, place, wanted)
  const select = letter ? selectWithFailedLetter(db, place, MOST_HITS) : null
  if (select) return cut(await sift(db, inIdOrder(select), filter, place), MOST_HITS, wanted)
  const rows = await selectFiltered(db, filter, place, wanted + 1).execute()
  const sifted = rows.map(({ id }) => ({ id, fits: 1 }))
  return cut(sifted, wanted + 1, wanted)
}

async function findText(
  db: Database,
  filter: MessageFilter & { q: string },
  place: Place,
  wanted: number,
): Promise<Stretch> {
  const search = await prepareSearch(db, filter.q)
  if (search.kind === 'in order') {
    const most = isPlain(filter) ? wanted + 1 : MOST_HITS
    return cut(await sift(db, search.candidates(place, most), filter, place), most, wanted)
  }
  const read = async (from: Place) => {
    const listed = inIdOrder(selectFiltered(db, filter, from, STRETCH))
    return cut(await sift(db, listed, filter, from, search.matches), STRETCH, wanted)
  }
  const first = await read(place)
  // Where hits are as common as this, reading on is sooner done than gathering them all.
  const isCommon = first.ids.length * MOST_STRETCHES >= wanted
  const hits = first.next === null || isCommon ? null : await search.hits?.(MOST_HITS + 1)
  if (hits && hits.length <= MOST_HITS) return await keepFitting(db, hits, filter, place, wanted)
  return await readOn(first, from => read({ ...place, from }), wanted)
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

const isPlain = ({ formType, isRead, verification, letter }: MessageFilter) =>
  !formType && !isRead && !verification && !letter

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
  if (ids.length === 0) return { ids: [], next: null }
  const fitting = await db
    .selectFrom('messages')
    .select('messages.id')
    .where('messages.id', 'in', ids)
    .where(eb => eb.and([...passes(eb, filter), ...(filter.letter ? [hasFailedLetter] : [])]))
    .execute()
  const kept = new Set(fitting.map(({ id }) => id))
  const page = ids.filter(id => kept.has(id))
  return { ids: page.slice(0, wanted), next: page.length > wanted ? (page[wanted - 1] ?? null) : null }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

type Candidates = AliasableExpression<{ id: string; place: string | number }>

function inIdOrder(select: AliasableExpression<{ id: string }>): Candidates {
  return sql`(select id, id as place from ${select} as listed)`
}

/** Candidates in their order, and whether each passes the filters. */
async function sift(
  db: Database,
  candidates: Candidates,
  filter: MessageFilter,
  place: Place,
  matches?: Expression<SqlBool>,
) {
  return await db
    .selectFrom(candidates.as('candidate'))
    .innerJoin('messages', 'messages.id', 'candidate.id')
    .select(eb => [
      'messages.id',
      eb
        .case()
        .when(
          eb.and([
            ...passes(eb, filter),
            ...(filter.letter ? [hasFailedLetter] : []),
            ...(matches ? [matches] : []),
          ]),
        )
        .then(1)
        .else(0)
        .end()
        .as('fits'),
    ])
    .orderBy('candidate.place', orderOf(place))
    .execute()
}

/** @param looked how many candidates there may be: fewer are all there are. */
function cut(sifted: readonly { id: string; fits: number }[], looked: number, wanted: number): Stretch {
  const fitting = sifted.filter(({ fits }) => fits === 1).map(({ id }) => id)
  if (fitting.length > wanted) return { ids: fitting.slice(0, wanted), next: fitting[wanted - 1] ?? null }
  return { ids: fitting, next: sifted.length < looked ? null : (sifted.at(-1)?.id ?? null) }
}
