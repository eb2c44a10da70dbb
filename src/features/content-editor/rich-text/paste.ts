import { Fragment, Slice } from 'prosemirror-model'
import { type EditorState, Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isLinkTarget, type RichText } from '../../../content/rich-text.ts'
import { showToast } from '../../../ui/toast/toast.ts'
import { readHtml, readPlainText } from './html-blocks.ts'
import { schema } from './schema.ts'

/** Blocks of one paste. No text may have more, and many thousands would make the page slow. */
const MAX_BLOCKS = 1000

/** Pastes and drops what a text can hold. The browser never parses what comes from elsewhere. */
export const pastePlugin = new Plugin({
  props: {
    handleDOMEvents: {
      paste(view, event) {
        event.preventDefault()
        if (event.clipboardData) insert(view, event.clipboardData)
        return true
      },
      drop(view, event) {
        // What is dragged within the editor is moved by it.
        if (view.dragging || !event.dataTransfer) return false
        event.preventDefault()
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
        if (!place) return true
        const { tr } = view.state
        view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(place.pos))))
        insert(view, event.dataTransfer)
        return true
      },
    },
  },
})

function insert(view: EditorView, from: DataTransfer) {
  const html = from.getData('text/html')
  const tr = paste(view.state, { html, text: from.getData('text/plain') })
  if (!tr)
    return showToast({
      title: 'Not Pasted',
      description: 'This is more than one text can hold. Paste it in parts.',
      kind: 'error',
    })
  view.dispatch(tr)
  if (hasTable(html))
    showToast({
      title: 'Table Pasted as Text',
      description:
        'Each row is a line, with | between its cells. To keep the table, add the block Table and paste it into a cell.',
    })
}

/** Of two cells at least: a spreadsheet writes one cell as a table too. */
export function hasTable(html: string): boolean {
  return [...html.matchAll(/<t[dh][\s>]/gi).take(2)].length > 1
}

/** @returns null if it is too long */
export function paste(state: EditorState, { html, text }: { html: string; text: string }) {
  const { tr, selection } = state
  const address = text.trim()
  const isAddress = /^(https|mailto|tel):/i.test(address) && isLinkTarget(address)
  if (isAddress && !selection.empty && selection.$from.sameParent(selection.$to))
    return tr.addMark(selection.from, selection.to, schema.marks.link.create({ href: address }))
  const blocks = html ? readHtml(html) : readPlainText(text)
  if (blocks.length > MAX_BLOCKS) return null
  return tr
    .replaceSelection(sliceOf(blocks))
    .setMeta('paste', true)
    .setMeta('uiEvent', 'paste')
    .scrollIntoView()
}

function sliceOf(blocks: RichText['content']): Slice {
  return Slice.maxOpen(Fragment.from(blocks.map(block => schema.nodeFromJSON(block))))
}
