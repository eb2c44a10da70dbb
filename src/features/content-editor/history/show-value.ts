import { isList, isObject } from '../../../content/json.ts'
import { describePicture, isPictureUse } from '../inputs/picture-parts.ts'
import { isRichText, toLines } from '../rich-text/rich-text-lines.ts'

/** A part of a body as text for reading and copying: each text on a line, without ids. */
export function showValue(value: unknown): string {
  if (isRichText(value)) return toLines(value)
  if (isPictureUse(value)) return describePicture(value)
  if (isList(value)) return value.map(showValue).join('\n')
  if (!isObject(value)) return value === null || value === undefined ? '' : String(value)
  const { id: _, ...parts } = value
  return Object.values(parts).map(showValue).filter(Boolean).join('\n')
}
