import type { PageBlock } from '../../content/page-bodies.ts'
import type { Block } from '../../content/rich-text.ts'
import { keepTogether } from '../../i18n/no-break.ts'
import { BlockView, type OtherBlock } from './block-views.tsx'
import { editable } from './editable.ts'
import { EditableText } from './editable-text.tsx'
import { inlinesOf } from './inlines.ts'
import type { SiteSettings } from './site-settings.ts'

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

/** The blocks of a document, as one section for each heading of the second level. */
export function Blocks({ blocks, site }: { blocks: readonly PageBlock[]; site: SiteSettings }) {
  return toSections(blocks).map(({ heading, parts }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sections have no ids, and a page is rendered once
    <section key={at} className={heading ? 'site-part' : 'site-part site-part-bare'} id={idOf(at)}>
      {heading && <PartView part={heading} site={site} />}
      <div className="site-part-text">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <PartView key={index} part={part} site={site} />
        ))}
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

function Questions({ questions, field, site }: { questions: Questions; field: string; site: SiteSettings }) {
  return (
    <div className="site-questions">
      {questions.map(({ id, question, answer }, at) => (
        <details key={id}>
          <summary {...editable(site, `${field}.${at}.question`)}>{keepTogether(question)}</summary>
          <EditableText text={answer} field={`${field}.${at}.answer`} site={site} />
        </details>
      ))}
    </div>
  )
}
