import { Fragment, Slice } from 'prosemirror-model'
import { type EditorState, Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type Inline, isLinkTarget, type RichText } from '../../../content/rich-text.ts'
import { showToast } from '../../../ui/toast/toast.ts'
import { cleanText, type Line, type ListPlace, type ListType, readLines } from './paste-lines.ts'
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

type Blocks = RichText['content']
type Paragraph = { type: 'paragraph'; content?: Inline[] }
type InnerList = { type: ListType; content: { type: 'list_item'; content: Paragraph[] }[] }
type Item = { type: 'list_item'; content: (Paragraph | InnerList)[] }
type List = { type: ListType; content: Item[] }

/** What pasted HTML becomes: text in the blocks that there are, and nothing else. */
export function readHtml(html: string): Blocks {
  const blocks: Blocks = []
  let open: { readonly list: List; readonly place: ListPlace } | null = null
  for (const line of readLines(html)) {
    const [place, inner] = line.style.lists
    if (!place) {
      blocks.push(toBlock(line))
      open = null
      continue
    }
    const isSame = open && (inner || (open.place.key === place.key && open.place.type === place.type))
    if (!open || !isSame) {
      const list: List = { type: (inner ?? place).type, content: [] }
      open = { list, place }
      blocks.push(list)
      addToList(list, line)
    } else if (inner) addToInner(open.list, inner.type, line)
    else addToList(open.list, line)
  }
  return blocks
}

/** Each line is a paragraph; empty ones only separate. */
export function readPlainText(text: string): Blocks {
  const lines = text.split(/[\r\n\u2028\u2029]+/).map(cleanText)
  return lines.filter(line => line.trim() !== '').map(line => toParagraph([{ type: 'text', text: line }]))
}

function toBlock({ content, style: { level } }: Line): Blocks[number] {
  return level ? { type: 'heading', attrs: { level }, content: [...content] } : toParagraph(content)
}

const toParagraph = (content: readonly Inline[]): Paragraph => ({ type: 'paragraph', content: [...content] })

function addToList(list: List | InnerList, { content, startsItem }: Line) {
  const item = list.content.at(-1)
  if (item && !startsItem) item.content.push(toParagraph(content))
  else list.content.push({ type: 'list_item', content: [toParagraph(content)] })
}

function addToInner(list: List, type: ListType, line: Line) {
  const parent = list.content.at(-1)
  const last = parent?.content.at(-1)
  if (last?.type === type) return addToList(last, line)
  const inner: InnerList = { type, content: [] }
  parent?.content.push(inner)
  addToList(inner, line)
}
