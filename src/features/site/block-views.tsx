import type { ButtonBlock } from '../../content/blocks/button.ts'
import type { CalloutBlock } from '../../content/blocks/callout.ts'
import { cellOf } from '../../content/blocks/cells.ts'
import type { PictureBlock } from '../../content/blocks/picture.ts'
import type { TableBlock } from '../../content/blocks/table.ts'
import type { PageBlock } from '../../content/page-bodies.ts'
import { isLinkTarget } from '../../content/rich-text.ts'
import { EnquiryIsland } from '../enquiry-form/get-in-touch.tsx'
import { editable } from './editable.ts'
import { EditableText } from './editable-text.tsx'
import { Picture } from './picture.tsx'
import type { SiteSettings } from './site-settings.ts'

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

/** On a narrow screen it scrolls in itself, which the keyboard can do only where it has the focus. */
function Table({ block: { id, caption, grid }, field, site }: BlockProps<TableBlock>) {
  const [first, ...others] = grid.columns
  const captionId = `table-${id}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys
    <section className="site-grid" aria-labelledby={captionId} tabIndex={0}>
      <table>
        <caption id={captionId} {...editable(site, `${field}.caption`)}>
          {caption}
        </caption>
        <thead>
          <tr>
            {grid.columns.map((column, at) => (
              <th key={column.id} scope="col" {...editable(site, `${field}.grid.columns.${at}.label`)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.rows.map(({ id: rowId, cells }, at) => {
            const cell = (column: string) => editable(site, `${field}.grid.rows.${at}.cells.${column}`)
            return (
              <tr key={rowId}>
                {first && <RowHeader text={cellOf(cells, first.id)} {...cell(first.id)} />}
                {others.map(column => (
                  <td key={column.id} {...cell(column.id)}>
                    {cellOf(cells, column.id)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** An empty one would name its row with nothing. */
function RowHeader({ text, ...attributes }: { text: string; 'data-edit'?: string }) {
  if (text === '') return <td {...attributes} />
  return (
    <th scope="row" {...attributes}>
      {text}
    </th>
  )
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
