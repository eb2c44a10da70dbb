import type { Node } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection } from 'prosemirror-state'
import { type ComponentType, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { RichText } from '../../../content/rich-text.ts'
import type { ListedFact } from '../facts/contract.ts'
import type { ControlProps } from '../inputs/field-frame.tsx'
import type { EditorDialogProps } from './editor-dialog.tsx'
import type { LinkText } from './link-dialog.tsx'
import { type EditorCallbacks, type MountedEditor, mountEditor } from './mount-editor.ts'
import { schema } from './schema.ts'

export interface RichEditorProps {
  readonly control: ControlProps
  readonly label: string
  readonly labelId: string
  readonly value: unknown
  readonly facts: readonly ListedFact[]
  /** Whether what was shown until now had the focus. */
  readonly takesFocus: boolean
  readonly onChange: (text: RichText) => void
  readonly Dialog: ComponentType<EditorDialogProps>
}

interface Callbacks extends Pick<EditorCallbacks, 'openLink' | 'focusToolbar'> {
  /** Called when a text comes from elsewhere that cannot be edited here. */
  onUnreadable(): void
}

/** The editor of a document, for as long as its place is rendered. */
export function useEditor(
  doc: Node,
  { value, takesFocus, onChange }: RichEditorProps,
  { onUnreadable, ...targets }: Callbacks,
) {
  const [editor, setEditor] = useState<MountedEditor | null>(null)
  const [state, setState] = useState<EditorState | null>(null)
  const [startsFocused] = useState(takesFocus)
  const callbacks: EditorCallbacks = { ...targets, onChange, onState: setState }
  const latest = useRef(callbacks)
  const unreadable = useRef(onUnreadable)
  latest.current = callbacks
  unreadable.current = onUnreadable

  const place = useCallback(
    (element: HTMLDivElement) => {
      const mounted = mountEditor(element, doc, latest)
      setEditor(mounted)
      setState(mounted.view.state)
      if (startsFocused) mounted.view.focus()
      return mounted.destroy
    },
    [doc, startsFocused],
  )
  // A layout effect, so that no key comes between what is rendered and what is shown.
  useLayoutEffect(() => {
    if (editor && !editor.show(value)) unreadable.current()
  }, [editor, value])
  return { place, editor, state }
}

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
