import type { Node } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import type { RichText } from '../../../content/rich-text.ts'
import { isEqual } from '../json.ts'
import { createPlugins, type KeyTargets } from './keys.ts'
import { createPastePlugin } from './paste.ts'
import { FROM_OUTSIDE, receive } from './receive.ts'
import { readDoc, writeDoc } from './schema.ts'

export interface EditorCallbacks extends KeyTargets {
  onState(state: EditorState): void
  /** Called for each change that is made here. */
  onChange(text: RichText): void
  onTooLong(): void
  onTable(): void
}

export type MountedEditor = ReturnType<typeof mountEditor>

/** @param latest the callbacks at the time of the call */
export function mountEditor(place: HTMLElement, doc: Node, latest: { readonly current: EditorCallbacks }) {
  let given: unknown = null
  const plugins = [
    ...createPlugins({
      openLink: () => latest.current.openLink(),
      focusToolbar: () => latest.current.focusToolbar(),
    }),
    createPastePlugin({
      onTooLong: () => latest.current.onTooLong(),
      onTable: () => latest.current.onTable(),
    }),
  ]
  const view = new EditorView(place, {
    state: EditorState.create({ doc, plugins }),
    dispatchTransaction(transaction) {
      const before = view.state.doc
      view.updateState(view.state.apply(transaction))
      if (view.state.doc !== before && !transaction.getMeta(FROM_OUTSIDE)) {
        const text = writeDoc(view.state.doc)
        given = text
        latest.current.onChange(text)
      }
      latest.current.onState(view.state)
    },
    handleDOMEvents: { click: stayHere },
  })

  /** Shows what was changed elsewhere. @returns whether it can be edited here */
  function show(value: unknown): boolean {
    if (value === given || isEqual(value, writeDoc(view.state.doc))) return true
    const next = readDoc(value)
    const transaction = next && receive(view.state, next)
    if (transaction) view.dispatch(transaction)
    return next !== null
  }

  return { view, show }
}

/** A click on a link is for its text: neither the browser nor the portal follows it. */
function stayHere(_view: EditorView, event: Event) {
  if (!(event.target instanceof Element && event.target.closest('a'))) return
  event.preventDefault()
  event.stopPropagation()
}
