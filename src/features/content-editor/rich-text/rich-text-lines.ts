import { isList, isObject } from '../../../content/json.ts'
import type { Block, Inline, RichText } from '../../../content/rich-text.ts'
import { describePicture, isPictureUse } from '../inputs/picture-parts.ts'

/** Whether a part of a body is rich text. The server has checked the shape of every body that it gives. */
export function isRichText(value: unknown): value is RichText {
  return isObject(value) && value.type === 'doc' && isList(value.content)
}

/** Rich text as plain text for reading, copying and comparing, with signs for its structure. It is never read again. */
export function toLines({ content }: RichText): string {
  return content.map(block => writeBlock(block).join('\n')).join('\n\n')
}

/** The first words that a reader meets, without signs. */
export function firstLine({ content }: RichText): string {
  const lines = content.map(firstOfBlock)
  return lines.find(line => line !== '') ?? ''
}

function firstOfBlock(block: Block): string {
  if (block.type === 'paragraph' || block.type === 'heading')
    return (block.content ?? [])
      .map(inline => (inline.type === 'fact' ? inline.attrs.name : inline.text))
      .join('')
      .trim()
  return block.content.flatMap(item => item.content.map(firstOfBlock)).find(line => line !== '') ?? ''
}

function writeBlock(block: Block): readonly string[] {
  if (block.type === 'paragraph') return [writeInlines(block.content)]
  if (block.type === 'heading') return [`${'#'.repeat(block.attrs.level)} ${writeInlines(block.content)}`]
  return block.content.flatMap((item, at) => {
    const sign = block.type === 'bullet_list' ? '-' : `${at + 1}.`
    const [first = '', ...rest] = item.content.flatMap(writeBlock)
    return [`${sign} ${first}`, ...rest.map(line => `  ${line}`)]
  })
}

const writeInlines = (inlines: readonly Inline[] = []) => inlines.map(writeInline).join('')

function writeInline(inline: Inline): string {
  const start = inline.type === 'fact' ? `{${inline.attrs.name}}` : inline.text
  return (inline.marks ?? []).reduceRight((text, mark) => {
    if (mark.type === 'link') return `[${text}](${mark.attrs.href})`
    return mark.type === 'strong' ? `**${text}**` : `*${text}*`
  }, start)
}

/** A part of a body as text for reading and copying: each text on a line, without ids. */
export function showValue(value: unknown): string {
  if (isRichText(value)) return toLines(value)
  if (isPictureUse(value)) return describePicture(value)
  if (isList(value)) return value.map(showValue).join('\n')
  if (!isObject(value)) return value === null || value === undefined ? '' : String(value)
  const { id: _, ...parts } = value
  return Object.values(parts).map(showValue).filter(Boolean).join('\n')
}
