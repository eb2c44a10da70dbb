import { Fragment, type ReactNode } from 'react'
import type { Block, Inline, Mark, RichText } from '../../content/rich-text.ts'
import { useDocumentForm } from './form-context.ts'
import { showFact } from './show-fact.ts'

/** Rich text for reading: for who may not edit it, and until its editor is loaded. It looks as in the editor. */
export function RichTextView({ text }: { text: RichText }) {
  return text.content.map((block, at) => <BlockView key={keyOf(at)} block={block} />)
}

/** Nodes have no ids, and nothing here has a state. */
const keyOf = (at: number) => at

function BlockView({ block }: { block: Block }): ReactNode {
  if (block.type !== 'paragraph' && block.type !== 'heading') {
    const List = block.type === 'bullet_list' ? 'ul' : 'ol'
    return (
      <List>
        {block.content.map(({ content }, at) => (
          <li key={keyOf(at)}>
            {content.map((part, within) => (
              <BlockView key={keyOf(within)} block={part} />
            ))}
          </li>
        ))}
      </List>
    )
  }
  const Element = block.type === 'heading' ? (block.attrs.level === 2 ? 'h2' : 'h3') : 'p'
  // An empty paragraph is as high as a line.
  return <Element>{block.content?.length ? <Inlines inlines={block.content} /> : <br />}</Element>
}

function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  const { facts } = useDocumentForm()
  return inlines.map((inline, at) => {
    const marks = inline.marks ?? []
    if (inline.type === 'text')
      return <Fragment key={keyOf(at)}>{marks.reduceRight(withMark, inline.text)}</Fragment>
    const found = facts.find(({ name }) => name === inline.attrs.name)
    const chip = (
      <span className="content-editor-chip" data-gone={found ? undefined : ''}>
        {found ? showFact(found.fact) : inline.attrs.name}
      </span>
    )
    return <Fragment key={keyOf(at)}>{marks.reduceRight<ReactNode>(withMark, chip)}</Fragment>
  })
}

/** A link leads nowhere here, as in the editor. */
function withMark(shown: ReactNode, { type }: Mark): ReactNode {
  if (type === 'strong') return <strong>{shown}</strong>
  return type === 'em' ? <em>{shown}</em> : <span className="content-editor-link">{shown}</span>
}
