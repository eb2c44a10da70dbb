/** What became of what was imported. Nothing that is not kept as it was is missing here. */

export const reportKinds = ['imported', 'changed', 'left out'] as const

export interface ReportLine {
  readonly kind: (typeof reportKinds)[number]
  /** The title of the document; the file for what belongs to none. */
  readonly document: string
  readonly what: string
  readonly why: string
  /** The document that it became. */
  readonly documentId?: string
}

/** What a part of the import has to say about one document. */
export type Note = Pick<ReportLine, 'kind' | 'what' | 'why'>

/** Characters of something foreign in the report, such as an address. */
const MAX_QUOTED = 200

export function quote(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
    .trim()
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED).toWellFormed()}…` : line
}

/** Notes that say the same are one, with their number. */
export function countNotes(notes: readonly Note[]): Note[] {
  const counted = new Map<string, { note: Note; count: number }>()
  for (const note of notes) {
    const key = JSON.stringify(note)
    counted.set(key, { note, count: (counted.get(key)?.count ?? 0) + 1 })
  }
  return [...counted.values()].map(({ note, count }) =>
    count === 1 ? note : { ...note, what: `${note.what} (${count} times)` },
  )
}

export function toCsv(lines: readonly ReportLine[]): string {
  const rows = lines.map(({ kind, document, what, why }) => [kind, document, what, why])
  return `\uFEFF${[['Outcome', 'Document', 'What', 'Why'], ...rows].map(row => `${row.map(toCell).join(',')}\r\n`).join('')}`
}

/** A text that begins like a formula would be one in a spreadsheet. */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
