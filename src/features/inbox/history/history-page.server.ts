import type { Database } from '../../../database/tables.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { createConcurrencyLimit, nextTurn } from '../../../platform/turns.ts'
import type { Entry, HistoryPage, Note } from '../conversation/contract.ts'
import {
  AFTER_ALL,
  addMails,
  BESIDE_TEXT,
  lastSaidBefore,
  listMergedSizes,
  listSizes,
  MAX_ESCAPED,
  type Merged,
  MOST_BESIDE_TEXT,
  PAGE_BYTES,
  PAGE_STEPS,
  readMerged,
  readOwn,
  type Size,
  toEnquiry,
  within,
} from './history.server.ts'
import { listNoteSizes, readNotes } from './notes.server.ts'

/** Bytes from which a page is read in turn. Nearly every conversation is smaller, and waits for none. */
const LARGE = 64 * 1024
/** Large pages that a process reads at the same time. */
const limitLargeReads = createConcurrencyLimit(2)

/** What is older than this is on the next page: the own entries by number, the others by id, which begins with their time. */
interface Position {
  readonly seq: number
  readonly merged: string
  readonly note: string
}

type Stream = keyof Position
type Step = Size & { readonly stream: Stream }

const NEWEST: Position = { seq: AFTER_ALL, merged: 'g', note: 'g' }

/** The newest steps of a conversation that are older than a cursor, and the number of its last entry that is no event. */
export async function readHistoryPage(
  db: Database,
  messageId: string,
  merged: readonly Merged[],
  cursor?: string,
): Promise<HistoryPage & { readonly lastSeq: number }> {
  const from = cursor === undefined ? NEWEST : positionOf(cursor)
  const steps = await listSteps(db, messageId, merged, from)
  const page = within(steps.slice(0, PAGE_STEPS), ({ bytes }) => bytes + BESIDE_TEXT)
  const bytes = page.reduce((sum, step) => sum + step.bytes + BESIDE_TEXT, 0)
  const read = async () => {
    if (bytes > LARGE) await nextTurn()
    return await readSteps(db, messageId, { merged, from, page, bytes })
  }
  const { shown, items } = bytes > LARGE ? await limitLargeReads(read) : await read()
  const isAll = shown.length === steps.length
  const entries = inOrder(items.filter(isEntry))
  const own = entries.filter(({ origin }) => !origin)
  const said = own.findLast(({ kind }) => kind !== 'event')?.seq
  return {
    entries,
    notes: items.filter(item => !isEntry(item)),
    earlier: isAll ? null : cursorAfter(from, shown),
    lastSeq: said ?? (await lastSaidBefore(db, messageId, own[0]?.seq ?? from.seq)),
  }
}

/** The newest steps, the newest first: one more than a page can have. */
async function listSteps(
  db: Database,
  messageId: string,
  merged: readonly Merged[],
  from: Position,
): Promise<Step[]> {
  const ids = merged.map(({ id }) => id)
  const [own, ofMerged, notes] = await Promise.all([
    listSizes(db, messageId, from.seq),
    listMergedSizes(db, ids, from.merged),
    listNoteSizes(db, [messageId, ...ids], from.note),
  ])
  const enquiries = merged
    .filter(({ id }) => id < from.merged)
    .map(({ id, message }) => ({ id, seq: 0, bytes: Buffer.byteLength(message) }))
  const merging = [...ofMerged, ...enquiries].sort((one, other) => (one.id < other.id ? 1 : -1))
  return mergeNewestFirst([
    own.map(step => ({ ...step, stream: 'seq' as const })),
    merging.map(step => ({ ...step, stream: 'merged' as const })),
    notes.map(step => ({ ...step, stream: 'note' as const })),
  ])
}

/** The own entries stay in the order of their numbers, whatever the clocks of two nodes say. */
function mergeNewestFirst(streams: readonly (readonly Step[])[]): Step[] {
  const left = streams.map(stream => stream.toReversed())
  const merged: Step[] = []
  while (merged.length <= PAGE_STEPS && left.some(stream => stream.length > 0)) {
    const newest = left.reduce((one, other) =>
      (one.at(-1)?.id ?? '') > (other.at(-1)?.id ?? '') ? one : other,
    )
    merged.push(...newest.splice(-1))
  }
  return merged
}

interface Chosen {
  readonly merged: readonly Merged[]
  readonly from: Position
  readonly page: readonly Step[]
  /** At least what they come to. */
  readonly bytes: number
}

/** @returns the steps that fit, and their texts, the oldest first */
async function readSteps(db: Database, messageId: string, { merged, from, page, bytes }: Chosen) {
  const oldest = { ...from, ...oldestOf(page) }
  const [own, ofMerged, notes] = await Promise.all([
    oldest.seq < from.seq ? readOwn(db, messageId, { from: oldest.seq, before: from.seq }) : [],
    readMerged(db, merged, { from: oldest.merged, before: from.merged }),
    readNotes(db, messageId, merged, { from: oldest.note, before: from.note }),
  ])
  const mergedOnes = merged.filter(({ id }) => id >= oldest.merged && id < from.merged)
  const enquiries = await addMails(db, mergedOnes.map(toEnquiry))
  const byId = new Map<string, Entry | Note>(
    [...own, ...ofMerged, ...enquiries, ...notes].map(item => [item.id, item]),
  )
  // What was deleted in between is left out.
  const found = page.flatMap(step => {
    const item = byId.get(step.id)
    return item ? [{ step, item }] : []
  })
  const isMeasured = enquiries.every(({ from }) => from === undefined)
  const fits = isMeasured && bytes * MAX_ESCAPED + page.length * MOST_BESIDE_TEXT <= PAGE_BYTES
  const kept = fits ? found : within(found, ({ item }) => Buffer.byteLength(JSON.stringify(item)) + 1)
  return {
    shown: kept.length === found.length ? page : kept.map(({ step }) => step),
    items: kept.map(({ item }) => item).reverse(),
  }
}

function oldestOf(page: readonly Step[]): Partial<Position> {
  const last = (stream: Stream) => page.findLast(step => step.stream === stream)
  const [own, merged, note] = [last('seq'), last('merged'), last('note')]
  return {
    ...(own && { seq: own.seq }),
    ...(merged && { merged: merged.id }),
    ...(note && { note: note.id }),
  }
}

function cursorAfter(from: Position, shown: readonly Step[]): string {
  const { seq, merged, note } = { ...from, ...oldestOf(shown) }
  return [seq, merged, note].join('.')
}

function positionOf(cursor: string): Position {
  const [seq, merged, note] = cursor.split('.')
  if (merged === undefined || note === undefined) throwHttpError(400, 'There is no such page')
  return { seq: Number(seq), merged, note }
}

const isEntry = (item: Entry | Note): item is Entry => 'kind' in item

/** By time, unless all are of one message and so in its order already. */
function inOrder(entries: readonly Entry[]): Entry[] {
  if (entries.every(({ origin }) => !origin)) return [...entries]
  return entries.toSorted(
    (one, other) => Number(one.createdAt > other.createdAt) - Number(one.createdAt < other.createdAt),
  )
}
