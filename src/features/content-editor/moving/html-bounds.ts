import type { Inline } from '../../../content/rich-text.ts'
import type { Blocks } from '../rich-text/html-blocks.ts'

/** What one text of the editor holds: beyond it, a text is divided, and nothing is lost. */

/** Characters of a paragraph, and parts of it: half of what a stored text may have. */
const MAX_PARAGRAPH = 10_000
const MAX_PARTS = 500
/** Paragraphs, headings and lists of one block, and characters of it in JSON: a page of them is quick to edit. */
const MAX_TEXT = 200
const MAX_JSON = 20_000

type Block = Blocks[number]
type Paragraph = Extract<Block, { type: 'paragraph' }>
type List = Exclude<Block, { type: 'paragraph' | 'heading' }>
type Part = List['content'][number]['content'][number]
type Inner = Exclude<Part, { type: 'paragraph' }>

/** The contents of one text block after the other. */
export function boundBlocks(blocks: Blocks): Blocks[] {
  return inGroups(blocks.flatMap(divide))
}

function divide(block: Block): Block[] {
  if (block.type === 'paragraph' || block.type === 'heading')
    return divideInlines(block.content ?? []).map(content => ({ ...block, content }))
  return divideList(block)
}

/** Items with more paragraphs than fit become several items. */
function divideList(list: List): Block[] {
  const items = list.content.flatMap(item => {
    const content = item.content.flatMap((part): Part[] =>
      part.type === 'paragraph' ? divideParagraph(part) : divideInner(part),
    )
    return inGroups(content).map(group => ({ ...item, content: group }))
  })
  return inGroups(items).map(content => ({ ...list, content }))
}

function divideInner(list: Inner): Inner[] {
  const items = list.content.flatMap(item => {
    const content = item.content.flatMap(divideParagraph)
    return inGroups(content).map(group => ({ ...item, content: group }))
  })
  return inGroups(items).map(content => ({ ...list, content }))
}

/** Groups that are neither too many nor too long. */
function inGroups<Part>(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = []
  let length = 0
  for (const part of parts) {
    const size = JSON.stringify(part).length
    const last = groups.at(-1)
    if (last && last.length < MAX_TEXT && length + size <= MAX_JSON) last.push(part)
    else {
      groups.push([part])
      length = 0
    }
    length += size
  }
  return groups
}

function divideParagraph(paragraph: Paragraph): Paragraph[] {
  return divideInlines(paragraph.content ?? []).map(content => ({ ...paragraph, content }))
}

function divideInlines(inlines: readonly Inline[]): Inline[][] {
  const paragraphs: Inline[][] = [[]]
  let length = 0
  for (const inline of inlines.flatMap(divideText)) {
    const size = inline.type === 'text' ? inline.text.length : 0
    const last = paragraphs.at(-1) ?? []
    if (last.length > 0 && (last.length >= MAX_PARTS || length + size > MAX_PARAGRAPH)) {
      paragraphs.push([inline])
      length = size
    } else {
      last.push(inline)
      length += size
    }
  }
  return paragraphs
}

/** A run that is too long is divided between words, and never within a character. */
function divideText(inline: Inline): Inline[] {
  if (inline.type !== 'text' || inline.text.length <= MAX_PARAGRAPH) return [inline]
  const runs: Inline[] = []
  for (let at = 0; at < inline.text.length; ) {
    const end = at + MAX_PARAGRAPH
    const space = end < inline.text.length ? inline.text.lastIndexOf(' ', end) : -1
    const isHalf = /[\ud800-\udbff]/.test(inline.text.charAt(end - 1))
    const next = space > at + MAX_PARAGRAPH / 2 ? space + 1 : end - (isHalf ? 1 : 0)
    runs.push({ ...inline, text: inline.text.slice(at, next) })
    at = next
  }
  return runs
}
