import { Fragment } from 'react'
import {
  type ButtonBlock,
  type CalloutBlock,
  cellOf,
  factInCell,
  type PictureBlock,
  type QuoteBlock,
  splitCell,
  type TableBlock,
} from '../../../content/blocks/blocks.ts'
import { describeValue } from '../../../content/facts.ts'
import type { PageBlock } from '../../../content/page-bodies.ts'
import { isLinkTarget, type RichText } from '../../../content/rich-text.ts'
import { keepTogether } from '../../../i18n/no-break.ts'
import { EnquiryIsland } from '../../enquiry-form/get-in-touch.tsx'
import type { SiteSettings } from '../site-settings.ts'
import { editable } from './editable.ts'
import { Ended, isPast, SourceLink } from './figures.tsx'
import { Picture } from './picture.tsx'
import { RichTextView } from './rich-text.tsx'

/** The blocks that no heading cuts. */
export type OtherBlock = Exclude<PageBlock, { type: 'text' | 'faq' }>

interface BlockProps<Block> {
  readonly block: Block
  /** The path of the block in the body. */
  readonly field: string
  readonly site: SiteSettings
}

export function BlockView({ block, ...at }: BlockProps<OtherBlock>) {
  if (block.type === 'table') return <Table block={block} {...at} />
  if (block.type === 'callout') return <Callout block={block} {...at} />
  if (block.type === 'button') return <Button block={block} {...at} />
  if (block.type === 'picture') return <Figure block={block} {...at} />
  if (block.type === 'quote') return <Quote block={block} {...at} />
  const { texts } = at.site
  return (
    <section
      className="site-form"
      aria-label={texts.enquiryForm.heading}
      {...editable(at.site, `${at.field}.kind`)}
    >
      <EnquiryIsland site={at.site} form={{ formType: block.kind }} />
    </section>
  )
}

function Quote({ block: { text, who, source }, field, site }: BlockProps<QuoteBlock>) {
  return (
    <figure className="site-quote">
      <blockquote {...editable(site, `${field}.text`)}>
        <p dir="auto">{site.texts.testimonials.quote(text)}</p>
      </blockquote>
      <figcaption className="quiet">
        <bdi {...editable(site, `${field}.who`)}>{who}</bdi>
        {source && (
          <span {...editable(site, `${field}.source`)}>
            {', '}
            <SourceLink source={source} />
          </span>
        )}
      </figcaption>
    </figure>
  )
}

/** Said in so many words, because browsers forget that it is a table where it is shown as a list of cards. */
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  column: { role: 'columnheader', scope: 'col' },
  name: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
}

/** On a narrow screen each row is a card, in which every cell has the name of its column. */
function Table({ block: { caption, grid }, field, site }: BlockProps<TableBlock>) {
  return (
    <div className="site-grid">
      <table {...roles.table}>
        <caption {...editable(site, `${field}.caption`)}>{caption}</caption>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {grid.columns.map(({ id, label }, at) => (
              <th key={id} {...roles.column} {...editable(site, `${field}.grid.columns.${at}.label`)}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {grid.rows.map(({ id }, at) => (
            <Row key={id} grid={grid} at={at} field={`${field}.grid.rows.${at}.cells`} site={site} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  grid,
  at,
  field,
  site,
}: Pick<TableBlock, 'grid'> & { at: number; field: string; site: SiteSettings }) {
  const cells = grid.rows[at]?.cells ?? {}
  return (
    <tr {...roles.row}>
      {grid.columns.map(({ id, label }, column) => {
        const text = cellOf(cells, id)
        const shown = <CellText text={text} site={site} />
        const edit = editable(site, `${field}.${id}`)
        // An empty one would name its row with nothing.
        if (column === 0 && text !== '')
          return (
            <th key={id} {...roles.name} {...edit}>
              {shown}
            </th>
          )
        return (
          <td key={id} {...roles.cell} data-label={label} {...edit}>
            {shown}
          </td>
        )
      })}
    </tr>
  )
}

/** A draft may name a fact that does not exist, and an old table may have other words in braces. */
function CellText({ text, site: { live, today, texts } }: { text: string; site: SiteSettings }) {
  return splitCell(text).map((part, at) => {
    const fact = typeof part === 'string' ? undefined : live.facts.get(part.fact)
    if (fact && isPast(fact, today))
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids, and a page is rendered once
      return <Ended key={at} source={fact.source} texts={texts} />
    const words = typeof part === 'string' ? part : fact ? describeValue(fact) : factInCell(part.fact)
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids, and a page is rendered once
    return <Fragment key={at}>{keepTogether(words)}</Fragment>
  })
}

function Callout({ block: { tone, title, text }, field, site }: BlockProps<CalloutBlock>) {
  const shown = title || site.texts.documents.callouts[tone]
  return (
    <div className="site-callout" role="note" aria-label={shown} data-tone={tone}>
      <p className="site-callout-title" {...editable(site, `${field}.title`)}>
        {shown}
      </p>
      <EditableText text={text} field={`${field}.text`} site={site} />
    </div>
  )
}

/** A draft may have half an address, which is not a link. */
function Button({ block: { text, address }, field, site }: BlockProps<ButtonBlock>) {
  const look = { className: 'button button-primary', ...editable(site, `${field}.text`) }
  return (
    <p>
      {isLinkTarget(address) ? (
        <a href={address} {...look}>
          {text}
        </a>
      ) : (
        <span {...look}>{text}</span>
      )}
    </p>
  )
}

/** The widest that the text of a page is. */
const FIGURE_SIZES = '(max-width: 700px) 100vw, 704px'

/** In a draft the picture may still have to be chosen. */
function Figure({ block: { picture, caption }, field, site }: BlockProps<PictureBlock>) {
  if (!picture) return null
  return (
    <figure className="site-figure">
      <Picture
        use={picture}
        className="site-figure-picture"
        sizes={FIGURE_SIZES}
        {...editable(site, `${field}.picture`)}
      />
      {caption && <figcaption {...editable(site, `${field}.caption`)}>{caption}</figcaption>}
    </figure>
  )
}

/** A rich text that opens its field in a preview. */
export function EditableText({ text, field, site }: { text: RichText; field: string; site: SiteSettings }) {
  const { facts } = site.live
  const { today, texts } = site
  return (
    <div {...editable(site, field)}>
      <RichTextView text={text} context={{ facts, today, texts }} />
    </div>
  )
}
