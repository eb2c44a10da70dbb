import type { OpenMessage } from '../contract.ts'
import type { Entry, Note } from '../conversation-contract.ts'

export type TimelineItem =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'note'; readonly note: Note }

/** Entries and notes by time. Both come in order, so one pass merges them; of the same moment, the entry is first. */
export function mergeTimeline({ entries, notes }: Pick<OpenMessage, 'entries' | 'notes'>): TimelineItem[] {
  const merged: TimelineItem[] = []
  let next = 0
  for (const entry of entries) {
    for (let note = notes[next]; note && note.createdAt < entry.createdAt; note = notes[++next])
      merged.push({ kind: 'note', note })
    merged.push({ kind: 'entry', entry })
  }
  for (const note of notes.slice(next)) merged.push({ kind: 'note', note })
  return merged
}
