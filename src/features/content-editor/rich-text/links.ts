import type { Command, EditorState } from 'prosemirror-state'
import { TextSelection } from 'prosemirror-state'
import type { LinkText } from './link-dialog.tsx'
import { schema } from './schema.ts'

const { link } = schema.marks

/** Where a link is or would be. */
export interface LinkRange extends LinkText {
  readonly from: number
  readonly to: number
}

/** The link at the cursor as a whole; otherwise what is selected. */
export function findLinkRange(state: EditorState): LinkRange {
  const { from, to, $from, $to } = state.selection
  const found = linkAtCursor(state)
  const range = found && found.to >= to ? found : { from, to, href: found?.href ?? '' }
  let isText = $from.sameParent($to)
  state.doc.nodesBetween(range.from, range.to, node => {
    if (node.isInline && !node.isText) isText = false
  })
  return { ...range, text: isText ? state.doc.textBetween(range.from, range.to) : null }
}

function linkAtCursor({ selection: { $from } }: EditorState) {
  const { parent, parentOffset } = $from
  const after = parent.childAfter(parentOffset)
  const here = after.node && link.isInSet(after.node.marks) ? after : parent.childBefore(parentOffset)
  const mark = here.node && link.isInSet(here.node.marks)
  if (!mark) return null
  const has = (index: number) => parent.maybeChild(index)?.marks.some(each => each.eq(mark)) ?? false
  let [from, first, last] = [here.offset, here.index, here.index]
  while (has(first - 1)) from -= parent.child(--first).nodeSize
  let to = here.offset + (here.node?.nodeSize ?? 0)
  while (has(last + 1)) to += parent.child(++last).nodeSize
  return { from: $from.start() + from, to: $from.start() + to, href: String(mark.attrs.href) }
}

/** @param text replaces the text of the link if it differs; null leaves it */
export function setLink(href: string, text: string | null): Command {
  return (state, dispatch) => {
    const { from, to, text: before } = findLinkRange(state)
    const { tr } = state
    const isTyped = text !== null && text !== before
    if (isTyped) tr.insertText(text, from, to)
    const end = isTyped ? from + text.length : to
    tr.removeMark(from, end, link).addMark(from, end, link.create({ href }))
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end)).removeStoredMark(link).scrollIntoView())
    return true
  }
}

export const removeLink: Command = (state, dispatch) => {
  const { from, to } = findLinkRange(state)
  dispatch?.(state.tr.removeMark(from, to, link))
  return true
}
