import { FactName } from '../../../content/references.ts'
import { type Inline, LinkTarget, type Mark } from '../../../content/rich-text.ts'
import { attributeOf, readTokens, type Tag } from './html-tokens.ts'

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
  const reader = createLineReader(html.includes('data-pm-slice'))
  for (const token of readTokens(html)) {
    if (typeof token === 'string') reader.addText(token)
    else if (token.isEnd) reader.close(token)
    else reader.open(token)
  }
  return reader.finish()
}

/** Makes lines of tags and texts. @param keepsSpaces in text that was copied from an editor of this portal */
export function createLineReader(keepsSpaces: boolean) {
  let lines: Line[] = []
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
        // A line that is broken is still in its paragraph, with what is bold around it.
        if (tag.name !== 'br') closeImplied(tag.name)
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
    /** Ends a line, within the elements that are open. @returns the lines since the last time */
    take() {
      endLine({ ...style(), isCell: false })
      const taken = lines
      lines = []
      return taken
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

export type ListType = 'bullet_list' | 'ordered_list'

/** A list that text is in. Text of the same list has the same key. */
export interface ListPlace {
  readonly key: string
  readonly type: ListType
}

export interface Style {
  readonly strong: boolean
  readonly em: boolean
  readonly href: string | null
  readonly level: 2 | 3 | null
  readonly lists: readonly ListPlace[]
  /** Whether it is in the cell of a table, whose row becomes one paragraph. */
  readonly isCell: boolean
  /** Of a fact, whose name is known, and of the sign that Word writes before an item. */
  readonly hides: 'fact' | 'sign' | null
}

export const PLAIN: Style = {
  ...{ strong: false, em: false, href: null },
  ...{ level: null, lists: [], isCell: false, hides: null },
}

const bold = /(?:^|[;\s])font-weight:\s*(bold|normal|\d+)/i
const italic = /(?:^|[;\s])font-style:\s*(italic|oblique|normal)/i
/** Of a paragraph that Word shows as an item: "mso-list:l0 level2 lfo1". */
const wordItem = /mso-list:\s*(l\d+)\s+level(\d)/i

/** @param key of the list that it may start */
export function styleIn(around: Style, tag: Tag, key: string): Style {
  const css = attributeOf(tag, 'style')
  const style = { ...around, ...styleOfName(tag, around, key) }
  const [, weight] = bold.exec(css) ?? []
  if (weight) style.strong = weight === 'bold' || Number(weight) >= 600
  const [, slant] = italic.exec(css) ?? []
  if (slant) style.em = slant !== 'normal'
  if (/mso-list:\s*ignore/i.test(css)) style.hides = 'sign'
  if (readFact(tag) !== null) style.hides = 'fact'
  const [, list = '', level] = wordItem.exec(css) ?? []
  // Its sign, which comes later, says whether it has numbers.
  if (level && !style.level) style.lists = placesOf(list, Number(level))
  return style
}

const placesOf = (list: string, level: number): readonly ListPlace[] =>
  (level > 1 ? [list, `${list}/2`] : [list]).map(key => ({ key, type: 'bullet_list' }))

function styleOfName({ name, ...tag }: Tag, around: Style, key: string): Partial<Style> {
  if (name === 'b' || name === 'strong') return { strong: true }
  if (name === 'i' || name === 'em') return { em: true }
  if (name === 'a') return { href: readHref({ name, ...tag }) }
  if (/^h[12]$/.test(name)) return { level: 2 }
  if (/^h[3-6]$/.test(name)) return { level: 3 }
  if (name === 'td' || name === 'th') return { isCell: true }
  if (name !== 'ul' && name !== 'ol') return {}
  const list = { key, type: name === 'ul' ? ('bullet_list' as const) : ('ordered_list' as const) }
  return { lists: [...around.lists.slice(0, 1), list] }
}

function readHref(tag: Tag): string | null {
  return LinkTarget.safeParse(attributeOf(tag, 'href').trim()).data ?? null
}

/** The name of a fact that was copied here; null for anything else. */
export function readFact(tag: Tag): string | null {
  const name = tag.name === 'span' && !tag.isEnd ? attributeOf(tag, 'data-fact') : ''
  return FactName.safeParse(name).data ?? null
}
