import type { Inline, Mark } from '../../../content/rich-text.ts'
import { attributeOf, readTokens, type Tag } from './html-tokens.ts'
import { PLAIN, readFact, type Style, styleIn } from './paste-style.ts'

export interface Line {
  readonly content: readonly Inline[]
  readonly style: Pick<Style, 'level' | 'lists'>
  readonly startsItem: boolean
}

/** Elements around a text that are kept apart. In deeper ones, text has the style of the deepest of these. */
const MAX_DEPTH = 100

const blocks = new Set(
  'address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
/** What a paragraph is not closed across. */
const BOUNDARIES = new Set(['td', 'th', 'ul', 'ol'])
const ROWS = new Set(['tr', 'td', 'th'])
const EMPTY = new Set('br hr img input meta link col wbr source area base embed'.split(' '))

/** Reads HTML that somebody pastes. What is not text, a list, a heading, a mark or a fact is left out. */
export function readLines(html: string): readonly Line[] {
  const reader = createReader(html.includes('data-pm-slice'))
  for (const token of readTokens(html)) {
    if (typeof token === 'string') reader.addText(token)
    else if (token.isEnd) reader.close(token)
    else reader.open(token)
  }
  return reader.finish()
}

/** @param keepsSpaces in text that was copied from an editor of this portal */
function createReader(keepsSpaces: boolean) {
  const lines: Line[] = []
  const open: { readonly name: string; readonly style: Style }[] = []
  let content: Inline[] = []
  let startsItem = false
  let sign = ''
  let lists = 0
  const style = () => open.at(-1)?.style ?? PLAIN

  function add(text: string, now = style()) {
    const before = content.at(-1)
    const clean = cleanText(text)
    const spaced = keepsSpaces ? clean : clean.replace(/[\s\u00a0]+/g, ' ')
    const isAfterSpace = !before || (before.type === 'text' && before.text.endsWith(' '))
    const shown = isAfterSpace && !keepsSpaces ? spaced.trimStart() : spaced
    if (shown) content.push({ type: 'text', text: shown, ...marksOf(now) })
  }

  function endLine({ level, lists: at, isCell } = style()) {
    if (isCell) return add(' ')
    const trimmed = keepsSpaces ? content : trimEnd(content)
    content = []
    if (trimmed.length === 0) return
    lines.push({
      content: trimmed,
      style: { level, lists: withSign(at, sign) },
      startsItem: startsItem || sign !== '',
    })
    startsItem = false
    sign = ''
  }

  /** Neither a paragraph nor an item needs an end tag. */
  function closeImplied(name: string) {
    let at = -1
    for (let index = open.length - 1; index >= 0; index--) {
      const around = open[index]?.name ?? ''
      if (BOUNDARIES.has(around)) break
      if (around === 'p' || (around === 'li' && name === 'li')) at = index
    }
    if (at >= 0) open.length = at
  }

  /** Neither do the rows and cells of a table. */
  function closeRow() {
    const table = open.findLastIndex(({ name }) => name === 'table')
    const at = open.findIndex(({ name }, index) => index > table && ROWS.has(name))
    if (at >= 0) closeAt(at)
  }

  function closeAt(at: number) {
    endLine({ ...style(), isCell: open[at - 1]?.style.isCell ?? false })
    open.length = at
  }

  return {
    addText(text: string) {
      const { hides } = style()
      if (hides === 'sign') sign += text
      else if (!hides) add(text)
    },
    open(tag: Tag) {
      if (style().hides === 'fact') return
      if (tag.name === 'tr') closeRow()
      if (blocks.has(tag.name)) {
        endLine()
        closeImplied(tag.name)
      }
      if (tag.name === 'img') add(attributeOf(tag, 'alt'))
      if (EMPTY.has(tag.name)) return
      const isCell = tag.name === 'td' || tag.name === 'th'
      if (isCell && content.length > 0) add(' | ')
      const name = readFact(tag)
      if (name) content.push({ type: 'fact', attrs: { name }, ...marksOf(style()) })
      if (tag.name === 'li') startsItem = true
      if (open.length < MAX_DEPTH) open.push({ name: tag.name, style: styleIn(style(), tag, `${++lists}`) })
    },
    close({ name }: Tag) {
      const at = open.findLastIndex(element => element.name === name)
      if (at >= 0 && blocks.has(name)) closeAt(at)
      else if (at >= 0) open.length = at
    },
    finish() {
      endLine(PLAIN)
      return lines
    },
  }
}

/** A control character, which no text may have, is a space. */
export const cleanText = (text: string) => text.replace(/\p{Cc}/gu, ' ').toWellFormed()

function marksOf({ strong, em, href }: Style): { marks?: Mark[] } {
  const marks: Mark[] = [
    ...(href === null ? [] : [{ type: 'link' as const, attrs: { href } }]),
    ...(strong ? [{ type: 'strong' as const }] : []),
    ...(em ? [{ type: 'em' as const }] : []),
  ]
  return marks.length > 0 ? { marks } : {}
}

function trimEnd(content: readonly Inline[]): readonly Inline[] {
  const last = content.at(-1)
  if (last?.type !== 'text' || last.text.trimEnd() === last.text) return content
  const text = last.text.trimEnd()
  return text ? content.with(-1, { ...last, text }) : trimEnd(content.slice(0, -1))
}

/** Word writes "1." or "a)" before an item with a number, and a dot or the like before others. */
function withSign(lists: Style['lists'], sign: string): Style['lists'] {
  const isNumbered = /^\s*\(?(\d{1,4}|[a-z]{1,5})[.)]/i.test(sign)
  return isNumbered
    ? lists.map((list, at) => (at === lists.length - 1 ? { ...list, type: 'ordered_list' } : list))
    : lists
}
