import type { FirstDocument } from '../content/first-content.server.ts'
import type { ArticleBody, PageBlock, PageBody } from '../content/page-bodies.ts'
import type { Block, Inline, RichText } from '../content/rich-text.ts'

/** Short ways to write the rich text of the sample documents. */

export type Line = Inline[]
type Doc = RichText['content'][number]
type Item = string | Line
/** A block without the id that its place gives it. */
export type NewBlock = PageBlock extends infer Each
  ? Each extends { id: string }
    ? Omit<Each, 'id'>
    : never
  : never

/** A template string that has links, facts and strong words in it. */
export function line(texts: TemplateStringsArray, ...inlines: readonly Inline[]): Line {
  return texts.flatMap((text, at) => {
    const inline = inlines[at]
    return [...(text ? [plain(text)] : []), ...(inline ? [inline] : [])]
  })
}

export function paragraph(texts: TemplateStringsArray, ...inlines: readonly Inline[]): Doc {
  return { type: 'paragraph', content: line(texts, ...inlines) }
}

export const heading = (text: string) => headingOf(2, text)
/** Two of these, each with a list, are shown beside each other. */
export const subheading = (text: string) => headingOf(3, text)

function headingOf(level: 2 | 3, text: string): Doc {
  return { type: 'heading', attrs: { level }, content: [plain(text)] }
}

export const list = (...items: readonly Item[]) => listOf('bullet_list', items)
export const steps = (...items: readonly Item[]) => listOf('ordered_list', items)

function listOf(type: 'bullet_list' | 'ordered_list', items: readonly Item[]): Doc {
  return { type, content: items.map(item => ({ type: 'list_item', content: [toParagraph(item)] })) }
}

function toParagraph(item: Item): Extract<Block, { type: 'paragraph' }> {
  return { type: 'paragraph', content: typeof item === 'string' ? [plain(item)] : item }
}

export const plain = (text: string): Inline => ({ type: 'text', text })

export function strong(text: string): Inline {
  return { type: 'text', text, marks: [{ type: 'strong' }] }
}

export function link(text: string, href: string): Inline {
  return { type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }
}

export function fact(name: string): Inline {
  return { type: 'fact', attrs: { name } }
}

export function text(...content: Doc[]): NewBlock {
  return { type: 'text', text: { type: 'doc', content } }
}

export function faq(...questions: readonly (readonly [question: string, ...answer: Doc[]])[]): NewBlock {
  return {
    type: 'faq',
    questions: questions.map(([question, ...content], at) => ({
      id: `question-${at + 1}`,
      question,
      answer: { type: 'doc', content },
    })),
  }
}

export function callout(title: string, ...content: Doc[]): NewBlock {
  return { type: 'callout', tone: 'note', title, text: { type: 'doc', content } }
}

export function table(
  caption: string,
  labels: readonly string[],
  ...rows: readonly (readonly string[])[]
): NewBlock {
  const columns = labels.map((label, at) => ({ id: `column-${at + 1}`, label }))
  const cellsOf = (texts: readonly string[]) =>
    Object.fromEntries(columns.map(({ id }, at) => [id, texts[at] ?? '']))
  return {
    type: 'table',
    caption,
    grid: { columns, rows: rows.map((texts, at) => ({ id: `row-${at + 1}`, cells: cellsOf(texts) })) },
  }
}

interface Head {
  readonly path: string
  readonly title: string
  /** The lead of the page, and what search engines show. */
  readonly description: string
}

export function page(head: Head, ...blocks: readonly NewBlock[]): FirstDocument {
  const body: PageBody = { ...head, blocks: withIds(blocks) }
  return { kind: 'page', path: head.path, title: head.title, body }
}

export function article(
  { author, liveFrom, ...head }: Head & { readonly author: string; readonly liveFrom: string },
  ...blocks: readonly NewBlock[]
): FirstDocument {
  const body: ArticleBody = { ...head, author, blocks: withIds(blocks) }
  return { kind: 'article', path: head.path, title: head.title, liveFrom, body }
}

/** Ids that are the same on every node. */
export function withIds(blocks: readonly NewBlock[]): PageBlock[] {
  return blocks.map((block, at) => ({ ...block, id: `block-${at + 1}` }))
}
