import { isObject } from '../../../content/json.ts'
import { FOCUS_COLUMNS, type PictureUse } from '../../../content/picture-use.ts'
import { plain } from '../forms/fields.ts'

/** What the form, the history and conflicts say about the use of a picture. */

export const altField = {
  type: 'text',
  name: 'alt',
  label: 'Alt text',
  hint: 'Say in a sentence what the picture shows, for people who do not see it.',
} as const
export const decorationField = { type: 'check', name: 'decoration', label: 'Only decoration' } as const

export const pictureParts = [altField, decorationField, plain('number', 'focus', 'Focal point')]

const rows = ['top', 'upper', 'middle', 'lower', 'bottom']
const columns = ['left', 'centre left', 'centre', 'centre right', 'right']

/** The fields of the focal point by rows: "top left", "upper centre right", "middle centre". */
export const focusNames = rows.flatMap(row => columns.map(column => `${row} ${column}`))

export const focusName = (focus: unknown) => focusNames[Number(focus) - 1] ?? ''

/** The field that an arrow key leads to; the same one at the edge. */
export function nextFocus(focus: number, key: string): number | null {
  const step = { ArrowUp: -FOCUS_COLUMNS, ArrowDown: FOCUS_COLUMNS, ArrowLeft: -1, ArrowRight: 1 }[key]
  if (step === undefined) return null
  const next = focus + step
  const isSideways = Math.abs(step) === 1
  const isSameRow = Math.ceil(next / FOCUS_COLUMNS) === Math.ceil(focus / FOCUS_COLUMNS)
  return focusNames[next - 1] !== undefined && (!isSideways || isSameRow) ? next : focus
}

/** Whether a part of a body is the use of a picture, however incomplete its texts are. */
export function isPictureUse(value: unknown): value is PictureUse & Record<string, unknown> {
  return (
    isObject(value) &&
    typeof value.picture === 'string' &&
    typeof value.width === 'number' &&
    typeof value.height === 'number' &&
    typeof value.alt === 'string' &&
    typeof value.decoration === 'boolean' &&
    typeof value.focus === 'number'
  )
}

/** Characters of an id: enough to see that it is another picture. */
const SHORT_ID = 8

export function describePicture({ picture, width, height, alt, decoration, focus }: PictureUse): string {
  return [
    `Picture ${picture.slice(0, SHORT_ID)}, ${width} × ${height} pixels`,
    decoration ? 'Only decoration' : `Alt text: ${alt || 'none yet'}`,
    `Focal point: ${focusName(focus)}`,
  ].join('\n')
}
