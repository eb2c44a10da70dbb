import * as z from 'zod/mini'

/** What became of what was imported. Nothing that is not kept as it was is missing here. */

export const reportKinds = ['imported', 'changed', 'left out'] as const

export interface ReportLine {
  readonly kind: (typeof reportKinds)[number]
  /** The title of the document; the file for what belongs to none. */
  readonly document: string
  readonly what: string
  readonly why: string
  /** The document that it became. */
  readonly documentId?: string | undefined
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

/** The `sessionStorage` key of the report of the last import in this tab. Who signs out leaves none. */
const KEY = 'landfall-import-report'

const Kept = z.object({
  /** When the import ended. */
  at: z.string(),
  lines: z.array(
    z.object({
      kind: z.enum(reportKinds),
      document: z.string(),
      what: z.string(),
      why: z.string(),
      documentId: z.optional(z.string()),
    }),
  ),
  failure: z.nullable(z.string()),
  isStopped: z.boolean(),
  progress: z.object({ done: z.number(), total: z.number() }),
})
export type KeptReport = Omit<z.output<typeof Kept>, 'lines'> & { readonly lines: readonly ReportLine[] }

/** Collects the report of an import, also when its screen is left, and keeps it until the next one. */
export function startReport(start: readonly ReportLine[]) {
  const lines = [...start]
  let progress: KeptReport['progress'] = { done: 0, total: 0 }
  return {
    add: (more: readonly ReportLine[]) => void lines.push(...more),
    at({ done, total }: KeptReport['progress']) {
      progress = { done, total }
    },
    keep({ failure = null, isStopped = false }: Partial<Pick<KeptReport, 'failure' | 'isStopped'>>) {
      const kept: KeptReport = { at: new Date().toISOString(), lines, failure, isStopped, progress }
      // Storage may be denied or full: the report can still be read where the import ended.
      attempt(() => sessionStorage.setItem(KEY, JSON.stringify(kept)))
    },
  }
}

/** @returns null where there was no import, or its report was closed */
export function readLastReport(): KeptReport | null {
  return attempt(() => Kept.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ''))) ?? null
}

export function forgetReport(): void {
  attempt(() => sessionStorage.removeItem(KEY))
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
