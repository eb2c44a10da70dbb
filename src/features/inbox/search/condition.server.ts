import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from '../../../database/engine.ts'
import type { Database } from '../../../database/tables.ts'
import { createFairLimit, takeTurns } from '../../../platform/turns.ts'
import {
  charactersOf,
  joinTexts,
  matches,
  mayMeet,
  type PreparedText,
  prepareText,
  type SearchedText,
} from './prepared-text.ts'
import type { Clause, SearchQuery } from './query.ts'
import { readTexts } from './texts.server.ts'

/** Staff find a message by their notes; what leaves the inbox, as an export does, is not chosen by them. */
export interface Search {
  readonly query: SearchQuery
  readonly hasNotes: boolean
  /** Who asks. */
  readonly userId: string
}

/** What the row of `messages` that is called `listed` has to do with a search: 1 it matches, 0 it does not, 2 it is not indexed. */
export function searchHit(db: Database, { query, hasNotes }: Search): RawBuilder<number> {
  if (query.length === 0) return sql<number>`0`
  const matching = isPostgres(db) ? matchesInPostgres(query, hasNotes) : matchesInSqlite(query, hasNotes)
  const notes = hasNotes
    ? sql`left join note_words on note_words.message_id = search_words.message_id`
    : sql``
  return sql<number>`coalesce((select ${matching} from search_words ${notes}
    where search_words.message_id = listed.id and search_words.is_stale = 0), 2)`
}

/** With the function of the reading thread. */
function matchesInSqlite(query: SearchQuery, hasNotes: boolean) {
  const notes = hasNotes ? sql`, coalesce(note_words.words, ''), coalesce(note_words.parts, '')` : sql``
  return sql<number>`search_matches(${JSON.stringify(query)}, search_words.words, search_words.parts ${notes})`
}

function matchesInPostgres(query: SearchQuery, hasNotes: boolean) {
  const has = (column: RawBuilder<unknown>, text: string) => sql`strpos(${column}, ${text}) > 0`
  const meets = (clause: Clause) =>
    sql`(${sql.join(
      clause.flatMap(needle => [
        has(sql.ref(`search_words.${needle.in}`), needle.text),
        ...(hasNotes ? [has(sql.ref(`note_words.${needle.in}`), needle.text)] : []),
      ]),
      sql` or `,
    )})`
  // What is null, as the notes of a message without any, is not true.
  return sql<number>`case when ${sql.join(query.map(meets), sql` and `)} then 1 else 0 end`
}

/** Together, several would hold the event loop with what they get at once. */
const oneAtATime = createFairLimit(1)

/** Which of these messages match a search, by what they have now: for those that are not indexed. */
export function findMatching(db: Database, ids: readonly string[], search: Search): Promise<Set<string>> {
  return oneAtATime(search.userId, () => readMatching(db, ids, search))
}

async function readMatching(db: Database, ids: readonly string[], { query, hasNotes }: Search) {
  const found = new Set<string>()
  const pause = await takeTurns()
  for (const { id, visible, notes } of await readTexts(db, ids)) {
    await pause()
    const texts = hasNotes ? [...visible, ...notes] : visible
    const characters: string[] = []
    for (const text of texts) {
      await pause()
      characters.push(charactersOf(text))
    }
    if (!query.every(clause => characters.some(some => mayMeet(clause, some)))) continue
    if (matches(query, [await prepareTexts(texts, pause)])) found.add(id)
  }
  return found
}

/** Prepares the texts of a message. @param pause lets others be served before each of them */
export async function prepareTexts(texts: readonly SearchedText[], pause: () => Promise<void>) {
  const prepared: PreparedText[] = []
  for (const text of texts) {
    await pause()
    prepared.push(prepareText(text))
  }
  return joinTexts(prepared)
}
