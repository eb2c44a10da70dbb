import type { Inline, RichText } from '../../../content/rich-text.ts'
import { cleanText, type Line, type ListPlace, type ListType, readLines } from './paste-lines.ts'

export type Blocks = RichText['content']
type Paragraph = { type: 'paragraph'; content?: Inline[] }
type InnerList = { type: ListType; content: { type: 'list_item'; content: Paragraph[] }[] }
type Item = { type: 'list_item'; content: (Paragraph | InnerList)[] }
type List = { type: ListType; content: Item[] }

/** What pasted HTML becomes: text in the blocks that there are, and nothing else. */
export function readHtml(html: string): Blocks {
  return blocksOf(readLines(html))
}

/** Lines that follow one another: those of one list are together in it. */
export function blocksOf(lines: readonly Line[]): Blocks {
  const blocks: Blocks = []
  let open: { readonly list: List; readonly place: ListPlace } | null = null
  for (const line of lines) {
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
