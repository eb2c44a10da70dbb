import type { OpenMessage } from '../contract.ts'
import type { Entry, Note } from '../conversation-contract.ts'

type Merged = NonNullable<OpenMessage['merged']>[number]

export type TimelineItem =
  /** What the visitor of the open message sent. */
  | { readonly kind: 'enquiry'; readonly id: string }
  /** The same of what is merged into it. */
  | { readonly kind: 'merged'; readonly id: string; readonly merged: Merged; readonly entry: Entry }
  | { readonly kind: 'entry'; readonly id: string; readonly entry: Entry }
  | { readonly kind: 'note'; readonly id: string; readonly note: Note }

type Timed = Pick<OpenMessage, 'entries' | 'notes' | 'merged'> & {
  readonly message: Pick<OpenMessage['message'], 'id' | 'createdAt'>
}

/**
 * Enquiries, entries and notes by time. All come in order, so one pass merges them; of the same moment, the enquiry of the open
 * message is first, and a note is last. What is merged into that may be older than it.
 */
export function mergeTimeline({ message, entries, notes, merged = [] }: Timed): TimelineItem[] {
  const items: TimelineItem[] = []
  const origins = new Map(merged.map(each => [each.id, each]))
  const before = entries.findIndex(({ createdAt, origin }) => !origin || createdAt >= message.createdAt)
  const own = before < 0 ? entries.length : before
  let next = 0
  const addNotes = (until: string) => {
    for (let note = notes[next]; note && note.createdAt < until; note = notes[++next])
      items.push({ kind: 'note', id: note.id, note })
  }
  const addOwn = () => {
    addNotes(message.createdAt)
    items.push({ kind: 'enquiry', id: message.id })
  }
  entries.forEach((entry, at) => {
    if (at === own) addOwn()
    addNotes(entry.createdAt)
    const origin = origins.get(entry.origin?.id ?? '')
    const { id } = entry
    if (origin && origin.id === id) items.push({ kind: 'merged', id, merged: origin, entry })
    else items.push({ kind: 'entry', id, entry })
  })
  if (own === entries.length) addOwn()
  for (const note of notes.slice(next)) items.push({ kind: 'note', id: note.id, note })
  return items
}
