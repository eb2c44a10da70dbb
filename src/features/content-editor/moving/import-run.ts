import { ApiError } from '../../../http/api-client.ts'
import { seconds } from '../../../platform/clock.ts'
import { DOCUMENTS_AT_ONCE, type Imported, type ImportOutcome, MAX_IMPORT, type Taken } from './contract.ts'
import type { Note, ReportLine } from './report.ts'

/** One document of the old site, which may become several. */
export interface Work {
  readonly title: string
  /** Makes what is sent, once its pictures are stored. */
  prepare(): Promise<{ readonly documents: readonly PreparedDocument[]; readonly notes: readonly Note[] }>
}

export interface PreparedDocument extends Imported {
  readonly title: string
}

export interface ImportProgress {
  readonly done: number
  readonly total: number
  /** What is being done: a title. */
  readonly title: string
  /** Why it waits, and until when; null while it does not. */
  readonly waiting: { readonly reason: string; readonly until: number } | null
}

interface ImportRun {
  readonly works: readonly Work[]
  readonly taken: Taken
  readonly send: (input: { documents: Imported[]; taken: Taken }) => Promise<{ outcomes: ImportOutcome[] }>
  readonly patience: Patience
  readonly signal: AbortSignal
  readonly onProgress: (progress: Pick<ImportProgress, 'done' | 'total' | 'title'>) => void
  readonly onLines: (lines: readonly ReportLine[]) => void
}

/** Bytes of what is sent beside the documents of a call. */
const ENVELOPE = 20_000

/**
 * Imports one document after the other, in calls of several. What was sent is there, whatever happens next: who begins again
 * with the same file goes on where it ended. @throws {ApiError} when the server can no longer be reached, or refuses all
 */
export async function runImport({ works, taken, send, patience, signal, onProgress, onLines }: ImportRun) {
  let batch: { document: PreparedDocument; notes: readonly Note[] }[] = []
  let bytes = ENVELOPE
  let done = 0

  async function flush() {
    if (batch.length === 0) return
    const sent = batch
    batch = []
    bytes = ENVELOPE
    const documents = sent.map(({ document: { title: _, ...document } }) => document)
    const outcomes = await deliver(documents)
    for (const [at, { document, notes }] of sent.entries()) {
      const outcome = outcomes[at]
      if (outcome) onLines(describe(document, outcome, notes))
    }
  }

  /** What is wrong with one document costs no other its import. */
  async function deliver(documents: readonly Imported[]): Promise<readonly ImportOutcome[]> {
    try {
      return (await patience.insist(() => send({ documents: [...documents], taken }))).outcomes
    } catch (error) {
      const isAboutCall = error instanceof ApiError && [400, 413].includes(error.status)
      if (!isAboutCall) throw error
      if (documents.length > 1) return (await Promise.all(documents.map(each => deliver([each])))).flat()
      return documents.map(({ origin, path }) => ({
        ...{
          origin,
          path,
          outcome: 'refused',
          documentId: null,
          message: error.message,
          refusedAddresses: [],
        },
      }))
    }
  }

  for (const work of works) {
    if (signal.aborted) break
    onProgress({ done, total: works.length, title: work.title })
    const { documents, notes } = await work.prepare()
    for (const [at, document] of documents.entries()) {
      const size = sizeOf(document)
      if (batch.length >= DOCUMENTS_AT_ONCE || bytes + size > MAX_IMPORT) await flush()
      // What is said about all of them is said about the first.
      batch.push({ document, notes: at === 0 ? notes : [] })
      bytes += size
    }
    done++
  }
  await flush()
  onProgress({ done, total: works.length, title: '' })
}

/** Bytes in the JSON of a call, in which the JSON of a body is a text with quotes that are escaped. */
const sizeOf = (document: Imported) => new TextEncoder().encode(JSON.stringify(document)).length

function describe(
  { title: document, path: wanted }: PreparedDocument,
  { outcome, path, documentId, message, refusedAddresses }: ImportOutcome,
  notes: readonly Note[],
): ReportLine[] {
  const lead = documentId === null ? { document } : { document, documentId }
  const leftOut = (what: string, why: string): ReportLine => ({ ...lead, kind: 'left out', what, why })
  const addresses = refusedAddresses.map(({ from, message: why }) => leftOut(`Old address ${from}`, why))
  if (outcome === 'refused') return [leftOut('Document', message)]
  if (outcome === 'deleted')
    return [
      leftOut(
        'Document',
        'it was imported before and deleted since: bring it back from the deleted documents',
      ),
    ]
  if (outcome === 'kept')
    return [leftOut('Document', message || 'it is here already, and stays as it is'), ...addresses]
  const what = outcome === 'added' ? 'Draft' : 'Draft in place of the one before'
  const isMoved = path !== wanted && outcome === 'added'
  const moved = { what: `Its address is ${path}`, why: `${wanted} belongs to something else` }
  return [
    { ...lead, kind: 'imported', what: `${what} at ${path}`, why: '' },
    ...(isMoved ? [{ ...lead, ...moved, kind: 'changed' as const }] : []),
    ...notes.map(note => ({ ...lead, ...note })),
    ...addresses,
  ]
}

/** Tries of a call that nothing answers, with pauses that become longer: half a minute in all. */
const MAX_TRIES = 5

export type Patience = ReturnType<typeof createPatience>

/** Repeats calls that can be made later. @param onWait is called with the reason, and with null when it goes on */
export function createPatience(
  signal: AbortSignal,
  onWait: (waiting: ImportProgress['waiting']) => void,
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void> = wait,
) {
  return {
    async insist<Reply>(run: () => Promise<Reply>, until: AbortSignal = signal): Promise<Reply> {
      for (let tries = 1; ; tries++) {
        try {
          return await run()
        } catch (error) {
          const later = delayOf(error, tries)
          if (later === null || until.aborted) throw error
          const reason = error instanceof Error ? error.message : ''
          onWait({ reason, until: Date.now() + later })
          await pause(later, until)
          onWait(null)
          if (until.aborted) throw error
        }
      }
    },
  }
}

/** Milliseconds until a call is made again; null where that changes nothing. */
function delayOf(error: unknown, tries: number): number | null {
  if (!(error instanceof ApiError)) return null
  const isPassing = error.isOffline || [429, 502, 503, 504].includes(error.status)
  if (!isPassing) return null
  if (error.retryAfter !== undefined) return seconds(error.retryAfter)
  return tries < MAX_TRIES ? seconds(2 ** tries) : null
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
