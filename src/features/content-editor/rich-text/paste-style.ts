import { FactName } from '../../../content/references.ts'
import { LinkTarget } from '../../../content/rich-text.ts'
import { attributeOf, type Tag } from './html-tokens.ts'

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
