import type { TableBlock } from '../../content/blocks.ts'
import { cellOf, factsInCell } from '../../content/cells.ts'
import type { Fact } from '../../content/facts.ts'
import type { PageBlock } from '../../content/page-bodies.ts'
import type { Block, Inline, RichText } from '../../content/rich-text.ts'
import { isPast } from './figures.tsx'
import type { SiteSettings } from './site-settings.ts'

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

/** The facts in a text that still hold. */
export function currentFacts(inlines: readonly Inline[], { live, today }: SiteSettings): readonly Fact[] {
  return inlines.flatMap(inline => {
    const fact = inline.type === 'fact' && live.facts.get(inline.attrs.name)
    return fact && !isPast(fact, today) ? [fact] : []
  })
}

export function inlinesOf(block: Block): readonly Inline[] {
  if (block.type === 'paragraph' || block.type === 'heading') return block.content ?? []
  return block.content.flatMap(({ content }) => content.flatMap(inlinesOf))
}

function richTextsOf(block: PageBlock): readonly RichText[] {
  if (block.type === 'faq') return block.questions.map(({ answer }) => answer)
  return block.type === 'text' || block.type === 'callout' ? [block.text] : []
}
