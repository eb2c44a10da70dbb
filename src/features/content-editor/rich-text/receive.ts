import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'

/** Of a transaction that brings a text from outside, which is not a change of the person who types. */
export const FROM_OUTSIDE = 'from outside'

/**
 * Replaces the document by another one. Only what differs is replaced, so that the selection stays where it can, and what
 * was typed here can still be undone.
 */
export function receive(state: EditorState, next: Node): Transaction | null {
  const start = state.doc.content.findDiffStart(next.content)
  if (start === null) return null
  const changed = replacePart(state, next, start)
  const tr = changed?.doc.eq(next) ? changed : state.tr.replaceWith(0, state.doc.content.size, next.content)
  return tr.setMeta(FROM_OUTSIDE, true).setMeta('addToHistory', false)
}

function replacePart({ doc, tr }: EditorState, next: Node, start: number): Transaction | null {
  const end = doc.content.findDiffEnd(next.content)
  if (end === null) return null
  // What repeats, such as a character twice, can end before it starts.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  return tr.replace(start, end.a + overlap, next.slice(start, end.b + overlap))
}
