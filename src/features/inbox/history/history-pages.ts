import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/client.ts'
import type { OpenMessage } from '../contract.ts'
import { conversation, type HistoryPage } from '../conversation/contract.ts'

type History = Pick<OpenMessage, keyof HistoryPage | 'merged'>

/**
 * The newest page as it is now, below the earlier ones that are on the screen: what somebody else writes must not take away
 * what is being read. Where the two do not meet, because more than a page was written meanwhile, only the newest stays.
 */
export function keepEarlier<Open extends History>(shown: History, now: Open): Open {
  if (now.earlier === null || idsOf(shown) !== idsOf(now)) return now
  const known = new Set([...shown.entries, ...shown.notes].map(({ id }) => id))
  const oldest = [now.entries[0], now.notes[0]]
  if (!oldest.some(step => step && known.has(step.id))) return now
  const [seq = '', merged = '', note = ''] = now.earlier.split('.')
  const entries = shown.entries.filter(it => (it.origin ? it.id < merged : it.seq < Number(seq)))
  const notes = shown.notes.filter(it => it.id < note)
  if (entries.length + notes.length === 0) return now
  return {
    ...now,
    entries: inOrder([...entries, ...now.entries]),
    notes: [...notes, ...now.notes],
    earlier: shown.earlier,
  }
}

/** What is merged: when that changes, what was read before may lack steps, or have too many. */
const idsOf = ({ merged = [] }: History) => merged.map(({ id }) => id).join()

/** With steps of merged messages by time, as the server does. */
function inOrder(entries: History['entries']): History['entries'] {
  if (entries.every(({ origin }) => !origin)) return entries
  return entries.toSorted(
    (one, other) => Number(one.createdAt > other.createdAt) - Number(one.createdAt < other.createdAt),
  )
}

/** Reads the page before what is shown of a message, and shows it above that. @throws {ApiError} */
export async function loadEarlier(client: QueryClient, id: string, cursor: string): Promise<void> {
  const page = await call(conversation.entries, { id, cursor })
  client.setQueriesData<OpenMessage>({ queryKey: ['messages', 'open', id] }, open =>
    // Another window of time may be shown by now.
    open?.earlier === cursor
      ? {
          ...open,
          entries: inOrder([...page.entries, ...open.entries]),
          notes: [...page.notes, ...open.notes],
          earlier: page.earlier,
        }
      : open,
  )
}
