import { cellOf, factsInCell, type TableBlock } from '../../../content/blocks/blocks.ts'
import type { Fact } from '../../../content/facts.ts'
import type { PageBlock } from '../../../content/page-bodies.ts'
import type { Block, Inline, RichText } from '../../../content/rich-text.ts'
import { keepTogether } from '../../../i18n/no-break.ts'
import type { SiteSettings } from '../site-settings.ts'
import { BlockView, EditableText, type OtherBlock } from './block-views.tsx'
import { editable } from './editable.ts'
import { isPast, Sources } from './figures.tsx'

type Questions = Extract<PageBlock, { type: 'faq' }>['questions']

/** What stands under one heading of the second level, across blocks. */
interface Section {
  readonly heading: Part | null
  readonly parts: Part[]
}

/** A part of a block, with the field of the body that it shows. */
type Part =
  | { readonly type: 'text'; readonly field: string; readonly content: Block[] }
  | { readonly type: 'faq'; readonly field: string; readonly questions: Questions }
  | { readonly type: 'block'; readonly field: string; readonly block: OtherBlock }

interface BlocksProps {
  readonly blocks: readonly PageBlock[]
  readonly site: SiteSettings
  /** Whether the page lists the sources of all of them. */
  readonly hasSourcesBeside?: boolean
}

/** The blocks of a document, as one section for each heading of the second level. */
export function Blocks({ blocks, site, hasSourcesBeside = false }: BlocksProps) {
  return toSections(blocks).map(({ heading, parts }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sections have no ids, and a page is rendered once
    <section key={at} className={heading ? 'site-part' : 'site-part site-part-bare'} id={idOf(at)}>
      {heading && <PartView part={heading} site={site} />}
      <div className="site-part-text">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <PartView key={index} part={part} site={site} />
        ))}
        {!hasSourcesBeside && <TextSources inlines={parts.flatMap(inlinesIn)} site={site} />}
      </div>
    </section>
  ))
}

/** The parts of a document that have a heading, to lead to them. */
export function listParts(blocks: readonly PageBlock[]): readonly { id: string; label: string }[] {
  return toSections(blocks).flatMap(({ heading }, at) =>
    heading?.type === 'text' ? [{ id: idOf(at), label: toPlain(heading.content) }] : [],
  )
}

const idOf = (section: number) => `part-${section + 1}`

function toPlain(content: readonly Block[]): string {
  return content
    .flatMap(inlinesOf)
    .map(inline => (inline.type === 'text' ? inline.text : ''))
    .join('')
}

function toSections(blocks: readonly PageBlock[]): readonly Section[] {
  const sections: Section[] = []
  for (const part of blocks.flatMap(toParts)) {
    const last = sections.at(-1)
    if (isHeading(part)) sections.push({ heading: part, parts: [] })
    else if (last) last.parts.push(part)
    else sections.push({ heading: null, parts: [part] })
  }
  return sections
}

/** A text is cut before and after each heading of the second level. */
function toParts(block: PageBlock, at: number): readonly Part[] {
  if (block.type === 'faq')
    return [{ type: 'faq', field: `blocks.${at}.questions`, questions: block.questions }]
  if (block.type !== 'text') return [{ type: 'block', field: `blocks.${at}`, block }]
  const parts: (Part & { type: 'text' })[] = []
  for (const node of block.text.content) {
    const last = parts.at(-1)
    if (last && !isTitle(node) && !isHeading(last)) last.content.push(node)
    else parts.push({ type: 'text', field: `blocks.${at}.text`, content: [node] })
  }
  return parts
}

function isTitle(node: Block): boolean {
  return node.type === 'heading' && node.attrs.level === 2
}

function isHeading(part: Part): boolean {
  return part.type === 'text' && part.content.some(isTitle)
}

function PartView({ part, site }: { part: Part; site: SiteSettings }) {
  if (part.type === 'faq') return <Questions {...part} site={site} />
  if (part.type === 'block') return <BlockView {...part} site={site} />
  return <EditableText text={{ type: 'doc', content: part.content }} field={part.field} site={site} />
}

/** Each date and source of the facts in a text, once. */
function TextSources({ inlines, site }: { inlines: readonly Inline[]; site: SiteSettings }) {
  const facts = currentFacts(inlines, site)
  if (facts.length === 0) return null
  return (
    <p className="site-as-at">
      <Sources figures={facts} texts={site.texts} />
    </p>
  )
}

/** Without those of answers, which have their sources with them. */
function inlinesIn(part: Part): readonly Inline[] {
  if (part.type === 'block') return listInlines([part.block])
  return part.type === 'text' ? part.content.flatMap(inlinesOf) : []
}

function Questions({ questions, field, site }: { questions: Questions; field: string; site: SiteSettings }) {
  return (
    <div className="site-questions">
      {questions.map(({ id, question, answer }, at) => (
        <details key={id}>
          <summary {...editable(site, `${field}.${at}.question`)}>{keepTogether(question)}</summary>
          <EditableText text={answer} field={`${field}.${at}.answer`} site={site} />
          <TextSources inlines={answer.content.flatMap(inlinesOf)} site={site} />
        </details>
      ))}
    </div>
  )
}

/** The runs of text and the facts in a document, in their order. */
export function listInlines(blocks: readonly PageBlock[]): readonly Inline[] {
  return blocks.flatMap(block =>
    block.type === 'table'
      ? factsOf(block)
      : richTextsOf(block).flatMap(({ content }) => content.flatMap(inlinesOf)),
  )
}

/** Those in the cells of a table. */
function factsOf({ grid: { columns, rows } }: TableBlock): readonly Inline[] {
  const texts = rows.flatMap(({ cells }) => columns.map(({ id }) => cellOf(cells, id)))
  return texts.flatMap(factsInCell).map(name => ({ type: 'fact', attrs: { name } }))
}

export function currentFacts(inlines: readonly Inline[], { live, today }: SiteSettings): readonly Fact[] {
  return inlines.flatMap(inline => {
    const fact = inline.type === 'fact' && live.facts.get(inline.attrs.name)
    return fact && !isPast(fact, today) ? [fact] : []
  })
}

function inlinesOf(block: Block): readonly Inline[] {
  if (block.type === 'paragraph' || block.type === 'heading') return block.content ?? []
  return block.content.flatMap(({ content }) => content.flatMap(inlinesOf))
}

function richTextsOf(block: PageBlock): readonly RichText[] {
  if (block.type === 'faq') return block.questions.map(({ answer }) => answer)
  return block.type === 'text' || block.type === 'callout' ? [block.text] : []
}
