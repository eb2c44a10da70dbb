import { Fragment, type ReactNode } from 'react'
import { describeValue, type Fact, type Facts } from '../../../content/facts.ts'
import {
  type Block,
  type Inline,
  isLinkTarget,
  type Mark,
  type RichText,
} from '../../../content/rich-text.ts'
import { keepTogether } from '../../../i18n/no-break.ts'
import type { Texts } from '../../../i18n/texts.ts'
import { Ended, isPast } from './figures.tsx'

export interface TextContext {
  readonly facts: Facts
  /** The date at the office, such as 2026-07-01: from the day after its end a fact is not shown. */
  readonly today: string
  readonly texts: Texts
}

/** Shows a stored text as elements, never as HTML. */
export function RichTextView({ text, context }: { text: RichText; context: TextContext }) {
  return <>{text.content.map((block, at) => renderBlock(block, context, at))}</>
}

function renderBlock(block: Block, context: TextContext, key: number): ReactNode {
  if (block.type === 'paragraph') return <p key={key}>{renderInlines(block.content, context)}</p>
  if (block.type === 'heading') {
    const Heading = block.attrs.level === 2 ? 'h2' : 'h3'
    return <Heading key={key}>{renderInlines(block.content, context)}</Heading>
  }
  const List = block.type === 'bullet_list' ? 'ul' : 'ol'
  return (
    <List key={key}>
      {block.content.map(({ content }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no ids, and a page is rendered once
        <li key={at}>{content.map((part, within) => renderBlock(part, context, within))}</li>
      ))}
    </List>
  )
}

function renderInlines(inlines: readonly Inline[] = [], context: TextContext): ReactNode[] {
  return inlines.map((inline, at) => {
    const { marks = [] } = inline
    if (inline.type === 'text')
      // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no ids, and a page is rendered once
      return <Fragment key={at}>{marks.reduceRight(withMark, keepTogether(inline.text))}</Fragment>
    const fact = context.facts.get(inline.attrs.name)
    const shown = fact && renderFact(fact, marks, context, isWithinSentence(inlines[at - 1]))
    // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no ids, and a page is rendered once
    return <Fragment key={at}>{shown}</Fragment>
  })
}

/** Whether a fact goes on with the sentence before it, rather than standing alone after "Age:". */
function isWithinSentence(before: Inline | undefined): boolean {
  return before?.type === 'text' && /[\p{L}\p{N},;–-]\s*$/u.test(before.text)
}

/** Its date and its source are below the text, where several facts share them, or beside an article. */
function renderFact(fact: Fact, marks: readonly Mark[], { today, texts }: TextContext, isWithin: boolean) {
  if (isPast(fact, today)) return <Ended source={fact.source} texts={texts} />
  const value = describeValue(fact)
  return marks.reduceRight(withMark, keepTogether(isWithin ? texts.claims.withinSentence(value) : value))
}

/** A draft may have half an address, which is not a link. */
function withMark(shown: ReactNode, mark: Mark): ReactNode {
  if (mark.type === 'strong') return <strong>{shown}</strong>
  if (mark.type === 'em') return <em>{shown}</em>
  return isLinkTarget(mark.attrs.href) ? <a href={mark.attrs.href}>{shown}</a> : shown
}
