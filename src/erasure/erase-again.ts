import { z } from 'zod'
import { BrokenArchive, type Row, type Source } from '../backup/source.ts'
import type { ErasedRow } from '../database/tables.ts'
import type { NamedKey } from '../keys.ts'
import { hashErased } from './erased-list.ts'
import { redactNames } from './redact-names.ts'

/** Counts of what a restore left out. */
export interface ErasedAgain {
  messages: number
  emails: number
  answers: number
  lines: number
  rewrittenLines: number
  /** Entries of the list that were made with an unknown key: what they erased cannot be recognised. */
  unreadable: number
}

interface Options {
  /** The list of the database that the restored one replaces. */
  readonly since: readonly ErasedRow[]
  readonly keys: readonly NamedKey[]
  /** Continues although a part of the list cannot be read. */
  readonly isForced: boolean
}

const Erased = z.object({
  hash: z.string(),
  kind: z.enum(['message', 'email', 'address']),
  key_id: z.string(),
  erased_at: z.string(),
})

/** What may identify a person in a log entry: an address, the id of a message, a reference. */
const NAMES =
  /[^\s"'<>(),;:\\[\]{}]+@[^\s"'<>(),;:\\[\]{}]+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|LF-[\w-]+/gi
const REFERENCE = /"(LF-[^"]+)"/g

/** The rows of an archive without those that were deleted or erased since it was made. */
export function eraseAgain(
  source: Source,
  { since, keys, isForced }: Options,
): { readonly source: Source; readonly leftOut: ErasedAgain } {
  const leftOut: ErasedAgain = {
    messages: 0,
    emails: 0,
    answers: 0,
    lines: 0,
    rewrittenLines: 0,
    unreadable: 0,
  }
  const erased = new Map<string, string>()
  const messages = new Set<string>()
  const references = new Set<string>()
  /** Ids and references of what came from an address that was erased. */
  const ofPersons = new Set<string>()

  const erasedAt = (kind: ErasedRow['kind'], text: string) =>
    keys.map(key => erased.get(hashErased(key, kind, text))).find(time => time !== undefined)

  /** A person who writes again after their erasure is kept. */
  const isErasedAddress = (email: string, time: string) => (erasedAt('address', email) ?? '') >= time

  function learn(rows: readonly ErasedRow[]) {
    const known = new Set(keys.map(({ id }) => id))
    leftOut.unreadable = rows.filter(row => !known.has(row.key_id)).length
    if (leftOut.unreadable > 0 && !isForced)
      throw new Error(
        `${leftOut.unreadable} entries of the list of what was erased were made with another secret key, so it would come back. Put the secret key of then into DATA_DIR, or into SECRET_KEY or SECRET_KEY_OLD; --keep-erased restores all the same.`,
      )
    for (const { hash, erased_at } of rows) erased.set(hash, erased_at)
  }

  function keepsMessage(row: Row): boolean {
    const { id, email, reference, created_at } = texts(row)
    const isOfPerson = isErasedAddress(email, created_at)
    if (!isOfPerson && erasedAt('message', id) === undefined) return true
    messages.add(id)
    references.add(reference)
    if (isOfPerson) for (const name of [id, reference]) ofPersons.add(name.toLowerCase())
    leftOut.messages++
    return false
  }

  function keepsAnswer(row: Row): boolean {
    const named = [...texts(row).reply.matchAll(REFERENCE)]
    const isKept = !named.some(([, reference = '']) => references.has(reference))
    if (!isKept) leftOut.answers++
    return isKept
  }

  function keepsEmail(row: Row): boolean {
    const isKept = !messages.has(texts(row).message_id)
    if (!isKept) leftOut.emails++
    return isKept
  }

  function rewriteLine(row: Row): Row | null {
    const { message, details, created_at } = texts(row)
    const names = [...new Set(`${message} ${details}`.match(NAMES))].filter(name =>
      name.includes('@') ? isErasedAddress(name, created_at) : ofPersons.has(name.toLowerCase()),
    )
    if (names.length === 0) return row
    leftOut[row.user_id === null ? 'lines' : 'rewrittenLines']++
    return row.user_id === null ? null : { ...row, ...redactNames({ message, details }, names) }
  }

  const changes: Readonly<Record<string, (row: Row) => Row | null>> = {
    messages: row => (keepsMessage(row) ? row : null),
    outbox: row => (keepsEmail(row) ? row : null),
    entries: row => (messages.has(texts(row).message_id) ? null : row),
    digest_items: row => (messages.has(texts(row).message_id) ? null : row),
    idempotency_keys: row => (keepsAnswer(row) ? row : null),
    logs: rewriteLine,
  }

  async function* rows(table: Parameters<Source['rows']>[0]): AsyncIterable<readonly Row[]> {
    const all = source.rows(table)
    if (table.name === 'erased') {
      const list = merge([...(await readErased(all)), ...since])
      learn(list)
      yield list.map(row => ({ ...row }))
      return
    }
    const change = changes[table.name] ?? (row => row)
    for await (const batch of all) yield batch.map(change).filter(row => row !== null)
  }

  if (!hasList(source)) learn(since)
  return { source: { migration: source.migration, rows, close: () => source.close() }, leftOut }
}

/** Whether the schema has the erase-again list. */
export function hasList({ migration }: Pick<Source, 'migration'>): boolean {
  return migration >= '0013'
}

/** Reads the erase-again list of a database. */
export async function readErasedList(source: Source): Promise<ErasedRow[]> {
  return hasList(source) ? await readErased(source.rows({ name: 'erased', key: ['hash'] })) : []
}

async function readErased(batches: AsyncIterable<readonly Row[]>): Promise<ErasedRow[]> {
  const found: ErasedRow[] = []
  for await (const batch of batches)
    for (const row of batch) {
      const { success, data } = Erased.safeParse(row)
      if (!success) throw new BrokenArchive('The list of what was erased is damaged')
      found.push(data)
    }
  return found
}

/** In the order of the key, as a table is read; of two entries the later counts. */
function merge(rows: readonly ErasedRow[]): ErasedRow[] {
  const byHash = new Map<string, ErasedRow>()
  for (const row of rows)
    if ((byHash.get(row.hash)?.erased_at ?? '') < row.erased_at) byHash.set(row.hash, row)
  return [...byHash.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1))
}

/** The columns as text; one that is missing or not text is empty. */
function texts(row: Row) {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : '')
  return {
    id: text('id'),
    email: text('email'),
    reference: text('reference'),
    message_id: text('message_id'),
    reply: text('reply'),
    message: text('message'),
    details: text('details'),
    created_at: text('created_at'),
  }
}
