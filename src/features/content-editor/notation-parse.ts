import type { Inline, RichText } from '../../content/rich-text.ts'
import { parseLine } from './notation-line.ts'

type Paragraph = { type: 'paragraph'; content?: Inline[] }
type ListType = 'bullet_list' | 'ordered_list'
type InnerItem = { type: 'list_item'; content: Paragraph[] }
type InnerList = { type: ListType; content: InnerItem[] }
type Item = { type: 'list_item'; content: (Paragraph | InnerList)[] }
type List = { type: ListType; content: Item[] }

/** What is open while lines are read. */
interface Open {
  list: List | null
  inner: InnerList | null
  readonly items: (Item | InnerItem)[]
}

/** Reads the notation of `toNotation`. Any text has a meaning, so nothing is refused. */
export function parseNotation(text: string): RichText {
  const content: RichText['content'] = []
  const open: Open = { list: null, inner: null, items: [] }
  for (const line of text.split('\n')) readLine(line, content, open)
  // An item holds a paragraph at least.
  for (const item of open.items) if (item.content.length === 0) item.content.push({ type: 'paragraph' })
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] }
}

function readLine(line: string, content: RichText['content'], open: Open) {
  const text = line.replace(/^ +/, '')
  const depth = Math.floor((line.length - text.length) / 2)
  if (text === '') {
    open.list = null
    open.inner = null
    return
  }
  const item = depth > 0 ? open.list?.content.at(-1) : undefined
  if (item) readInside(text, depth, item, open)
  else readOutside(text, content, open)
}

/** A line that does not belong to the item before it. */
function readOutside(text: string, content: RichText['content'], open: Open) {
  const marked = readMarker(text)
  open.inner = null
  if (!marked) {
    open.list = null
    content.push(readHeading(text) ?? toParagraph(text))
    return
  }
  if (open.list?.type !== marked.type) {
    open.list = { type: marked.type, content: [] }
    content.push(open.list)
  }
  const item: Item = { type: 'list_item', content: marked.paragraphs }
  open.items.push(item)
  open.list.content.push(item)
}

/** A line that belongs to an item: of a list in it, or another paragraph. */
function readInside(text: string, depth: number, item: Item, open: Open) {
  const marked = readMarker(text)
  if (!marked) {
    const innerItem = depth > 1 ? open.inner?.content.at(-1) : undefined
    if (!innerItem) open.inner = null
    const holder: Item | InnerItem = innerItem ?? item
    holder.content.push(toParagraph(text))
    return
  }
  if (open.inner?.type !== marked.type) {
    open.inner = { type: marked.type, content: [] }
    item.content.push(open.inner)
  }
  const innerItem: InnerItem = { type: 'list_item', content: marked.paragraphs }
  open.items.push(innerItem)
  open.inner.content.push(innerItem)
}

function readMarker(text: string): { type: ListType; paragraphs: Paragraph[] } | null {
  const [found, marker, rest = ''] = /^(-|\d+\.)(?: (.*))?$/s.exec(text) ?? []
  if (found === undefined) return null
  const type = marker === '-' ? 'bullet_list' : 'ordered_list'
  return { type, paragraphs: rest === '' ? [] : [toParagraph(rest)] }
}

function readHeading(text: string): RichText['content'][number] | null {
  const [found, marks = '', rest = ''] = /^(#{2,3})(?: (.*))?$/s.exec(text) ?? []
  if (found === undefined) return null
  const inlines = parseLine(rest)
  const attrs = { level: marks === '##' ? (2 as const) : (3 as const) }
  return { type: 'heading', attrs, ...(inlines.length > 0 && { content: inlines }) }
}

function toParagraph(text: string): Paragraph {
  const content = parseLine(text)
  return content.length > 0 ? { type: 'paragraph', content } : { type: 'paragraph' }
}
