import type { Inline, Mark } from '../../content/rich-text.ts'
import { isEqual, isObject } from './json.ts'

/** One line of the notation: text with marks and facts. */

interface Style {
  readonly strong: boolean
  readonly em: boolean
  readonly href: string | null
}

const PLAIN: Style = { strong: false, em: false, href: null }

export function writeLine(content: readonly Inline[] = []): string {
  let line = ''
  let before = PLAIN
  for (const inline of mergeRuns(content)) {
    const style = styleOf(inline.marks ?? [])
    line += change(before, style) + writeInline(inline)
    before = style
  }
  return line + change(before, PLAIN)
}

function writeInline(inline: Inline): string {
  if (inline.type === 'fact') return `{fact:${inline.attrs.name}}`
  return inline.text.replace(/[\\*[\]]|\{(?=fact:)/g, '\\$&')
}

function styleOf(marks: readonly Mark[]): Style {
  const link = marks.find(mark => mark.type === 'link')
  const has = (type: Mark['type']) => marks.some(mark => mark.type === type)
  return { strong: has('strong'), em: has('em'), href: link?.attrs.href ?? null }
}

/** What ends one style and starts another. Only what differs is written, so that at most three stars meet. */
function change(before: Style, style: Style): string {
  const isOtherLink = before.href !== style.href
  return [
    isOtherLink && before.href !== null ? `](${before.href.replace(/[\\()]/g, '\\$&')})` : '',
    before.strong === style.strong ? '' : '**',
    before.em === style.em ? '' : '*',
    isOtherLink && style.href !== null ? '[' : '',
  ].join('')
}

/** Neighbouring texts with the same marks are one. */
export function mergeRuns<Node>(content: readonly Node[]): readonly Node[] {
  const merged: Node[] = []
  for (const node of content) {
    const joined = join(merged.at(-1), node)
    if (joined) merged.pop()
    merged.push(joined ?? node)
  }
  return merged
}

function join<Node>(first: Node | undefined, second: Node): Node | null {
  if (!isObject(first) || !isObject(second) || first.type !== 'text' || second.type !== 'text') return null
  if (!isEqual(first.marks ?? [], second.marks ?? [])) return null
  return { ...first, text: `${first.text}${second.text}` }
}

const TOKEN =
  /\\(?<escaped>.?)|(?<strong>\*\*)|(?<em>\*)|(?<open>\[)|\]\((?<href>(?:\\.|[^\\()])*)\)|\{fact:(?<fact>[^{}]*)\}|[^\\*[\]{]+|[\]{]/gs

type Token = { readonly source: string; readonly [group: string]: string | undefined }

export function parseLine(line: string): Inline[] {
  const tokens = [...line.matchAll(TOKEN)].map(({ 0: source, groups }): Token => ({ ...groups, source }))
  const literal = findLiteral(tokens)
  const inlines: Inline[] = []
  let style = PLAIN
  for (const [at, token] of tokens.entries()) {
    if (literal.has(at)) inlines.push(textOf(token.source, style))
    else if (token.strong) style = { ...style, strong: !style.strong }
    else if (token.em) style = { ...style, em: !style.em }
    else if (token.open) style = { ...style, href: hrefFor(tokens, at) }
    else if (token.href !== undefined) style = { ...style, href: null }
    else if (token.fact !== undefined)
      inlines.push({ type: 'fact', attrs: { name: token.fact }, ...marksOf(style) })
    else if (token.escaped !== '') inlines.push(textOf(token.escaped ?? token.source, style))
  }
  return [...mergeRuns(inlines)]
}

function textOf(text: string, style: Style): Inline {
  return { type: 'text', text, ...marksOf(style) }
}

function marksOf({ strong, em, href }: Style): { marks?: Mark[] } {
  const marks: Mark[] = [
    ...(strong ? [{ type: 'strong' as const }] : []),
    ...(em ? [{ type: 'em' as const }] : []),
    ...(href === null ? [] : [{ type: 'link' as const, attrs: { href } }]),
  ]
  return marks.length > 0 ? { marks } : {}
}

/** Tokens without their other half mean nothing, so they are text. */
function findLiteral(tokens: readonly Token[]): ReadonlySet<number> {
  const literal = new Set<number>()
  for (const name of ['strong', 'em']) {
    const places = tokens.flatMap((token, at) => (token[name] ? [at] : []))
    if (places.length % 2 === 1) literal.add(places.at(-1) ?? 0)
  }
  let open: number | null = null
  for (const [at, { open: opens, href }] of tokens.entries()) {
    const isEnd = href !== undefined && open !== null && at > open + 1
    if (isEnd) open = null
    else if (href !== undefined) literal.add(at)
    if (!opens) continue
    if (open !== null) literal.add(open)
    open = at
  }
  return open === null ? literal : literal.add(open)
}

function hrefFor(tokens: readonly Token[], from: number): string {
  const href = tokens.slice(from).find(token => token.href !== undefined)?.href ?? ''
  return href.replace(/\\(.)/gs, '$1')
}
