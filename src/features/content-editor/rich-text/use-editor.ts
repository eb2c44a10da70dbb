import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import { type ComponentType, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { RichText } from '../../../content/rich-text.ts'
import type { ListedFact } from '../contract-facts.ts'
import type { ControlProps } from '../field-frame.tsx'
import type { EditorDialogProps } from './editor-dialog.tsx'
import { type EditorCallbacks, type MountedEditor, mountEditor } from './mount-editor.ts'

export interface RichEditorProps {
  readonly control: ControlProps
  readonly label: string
  readonly labelId: string
  readonly value: unknown
  readonly facts: readonly ListedFact[]
  /** Whether what was shown until now had the focus. */
  readonly takesFocus: boolean
  readonly onChange: (text: RichText) => void
  /** Called when more is pasted than a text can hold. */
  readonly onTooLong: () => void
  /** Called when a table is pasted. */
  readonly onTable: () => void
  readonly Dialog: ComponentType<EditorDialogProps>
}

interface Callbacks extends Pick<EditorCallbacks, 'openLink' | 'focusToolbar'> {
  /** Called when a text comes from elsewhere that cannot be edited here. */
  onUnreadable(): void
}

/** The editor of a document, for as long as its place is rendered. */
export function useEditor(
  doc: Node,
  { value, takesFocus, onChange, onTooLong, onTable }: RichEditorProps,
  { onUnreadable, ...targets }: Callbacks,
) {
  const [editor, setEditor] = useState<MountedEditor | null>(null)
  const [state, setState] = useState<EditorState | null>(null)
  const [startsFocused] = useState(takesFocus)
  const callbacks: EditorCallbacks = { ...targets, onChange, onState: setState, onTooLong, onTable }
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
