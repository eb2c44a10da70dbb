import { setBlockType } from 'prosemirror-commands'
import type { MarkType, NodeType } from 'prosemirror-model'
import { liftListItem, sinkListItem, wrapRangeInList } from 'prosemirror-schema-list'
import { type Command, type EditorState, NodeSelection } from 'prosemirror-state'
import { isListNode, listDepth, MAX_LIST_DEPTH, schema } from './schema.ts'

const { paragraph, heading, list_item, fact } = schema.nodes

export function isMarked({ selection, doc, storedMarks }: EditorState, mark: MarkType): boolean {
  const { from, to, $from, empty } = selection
  if (empty) return mark.isInSet(storedMarks ?? $from.marks()) !== undefined
  return doc.rangeHasMark(from, to, mark)
}

/** Whether the cursor is in a block of this kind, and of this level if it is a heading. */
export function isIn({ selection }: EditorState, type: NodeType, level?: number): boolean {
  const { parent } = selection.$from
  return parent.type === type && parent.attrs.level === level
}

/** The list around the cursor; null outside of lists. */
export function listAround({ selection: { $from } }: EditorState) {
  for (let depth = $from.depth; depth > 0; depth--)
    if (isListNode($from.node(depth))) return { list: $from.node(depth), at: $from.before(depth) }
  return null
}

export const toParagraph = setBlockType(paragraph)

/** Makes a heading, or a paragraph of what is one already. */
export function toggleHeading(level: 2 | 3): Command {
  return (state, dispatch) =>
    isIn(state, heading, level)
      ? toParagraph(state, dispatch)
      : setBlockType(heading, { level })(state, dispatch)
}

/** Makes a list, of another list this one, or no list of what is one already. */
export function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    const around = listAround(state)
    if (around?.list.type === type) return outdent(state, dispatch)
    if (around) {
      dispatch?.(state.tr.setNodeMarkup(around.at, type))
      return true
    }
    // Headings cannot be in a list.
    const { from, to } = state.selection
    const tr = state.tr.setBlockType(from, to, paragraph)
    const range = tr.selection.$from.blockRange(tr.selection.$to)
    if (!range || !wrapRangeInList(tr, range, type)) return false
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

export const outdent = liftListItem(list_item)

/** Puts an item into a list in the item before it, if that is not too deep. */
export const indent: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  const range = $from.blockRange($to, node => node.firstChild?.type === list_item)
  if (!range) return false
  let around = 0
  for (let depth = range.depth; depth > 0; depth--) if (isListNode($from.node(depth))) around++
  const items = range.parent.children.slice(range.startIndex, range.endIndex)
  const inside = Math.max(...items.map(listDepth))
  return around + 1 + inside <= MAX_LIST_DEPTH && sinkListItem(list_item)(state, dispatch)
}

/** At the start of a heading, Backspace makes a paragraph of it. */
export const leaveHeading: Command = (state, dispatch) => {
  const { empty, $from } = state.selection
  const isAtStart = empty && $from.parentOffset === 0 && $from.parent.type === heading
  return isAtStart && toParagraph(state, dispatch)
}

export function insertFact(name: string): Command {
  return (state, dispatch) => {
    const { $from } = state.selection
    dispatch?.(state.tr.replaceSelectionWith(fact.create({ name }, null, $from.marks())).scrollIntoView())
    return true
  }
}

/** The name of the fact that is selected as a whole; null for anything else. */
export function selectedFact({ selection }: EditorState): string | null {
  const isFact = selection instanceof NodeSelection && selection.node.type === fact
  return isFact ? String(selection.node.attrs.name) : null
}
