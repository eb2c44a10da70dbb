import { newPictureUse } from '../../../content/picture-use.ts'
import type { ApiClient } from '../../../http/api-client.ts'
import { UnreadableFile } from '../../../platform/zip.ts'
import { MAX_PLANNED, moving } from './contract.ts'
import type { ImportedBlock } from './html-import.ts'
import type { PreparedDocument, Work } from './import-run.ts'
import type { createPictureImport } from './imported-pictures.ts'
import { type Note, quote, type ReportLine } from './report.ts'
import {
  addressesOf,
  type Candidate,
  createConverter,
  listCandidates,
  listUnused,
  withoutSize,
} from './wordpress.ts'
import type { WordPressSite } from './wxr.ts'

/** Bytes and blocks of one document, below what may be published or edited. What is longer becomes several documents. */
const MAX_DOCUMENT = 150 * 1024
const MAX_BLOCKS = 150
/** Documents that one post may become. */
const MAX_PARTS = 120

export type Pictures = Pick<ReturnType<typeof createPictureImport>, 'find'>

/** What an export file would become, before anything is imported. */
export interface WordPressPlan {
  readonly pages: number
  readonly articles: number
  /** The addresses of the pictures that are shown. */
  readonly pictures: ReadonlySet<string>
  /** Imported before, so that they stay as they are. */
  readonly known: number
  readonly lines: readonly ReportLine[]
  works(pictures: Pictures): Work[]
}

/** Asks the server for the addresses of all, so that links lead to them. @throws {ApiError | UnreadableFile} */
export async function planWordPress(site: WordPressSite, call: ApiClient): Promise<WordPressPlan> {
  const { candidates, lines } = listCandidates(site)
  if (candidates.length > MAX_PLANNED)
    throw new UnreadableFile(
      `This file has ${candidates.length} pages and posts, and ${MAX_PLANNED} can be read at once. Export them in parts.`,
    )
  const documents = candidates.map(({ origin, kind, path }) => ({ origin, kind, path }))
  const { places, room } = await call(moving.plan, { documents, taken: 'number' })
  const placed = candidates.map((candidate, at) => ({ ...candidate, ...places[at] }))
  const fresh = placed.filter(({ state }) => state === 'new')
  const report = [...lines, ...placed.flatMap(it => describeKnown(it, it.state))]
  if (site.isCutOff)
    report.push({
      kind: 'left out',
      document: 'The file',
      what: 'Its end',
      why: 'it is cut off: export it again',
    })
  for (const { title } of fresh.slice(room))
    report.push({
      kind: 'left out',
      document: title,
      what: 'Document',
      why: 'there is no room for more documents',
    })
  const newPaths = new Map(
    placed.flatMap(it =>
      it.state === 'impossible' ? [] : addressesOf(it).map(from => [from, it.path] as const),
    ),
  )
  const convert = createConverter(site, newPaths)
  const wanted = fresh.slice(0, room)
  const pictures = new Set<string>()
  for (const it of wanted) {
    for (const source of convert(it).blocks.flatMap(sourceOf)) pictures.add(source)
    // The page stays alive meanwhile.
    await new Promise(resolve => setTimeout(resolve))
  }
  return {
    pages: wanted.filter(({ kind }) => kind === 'page').length,
    articles: wanted.filter(({ kind }) => kind === 'article').length,
    pictures,
    known: placed.filter(({ state }) => state === 'here' || state === 'deleted').length,
    lines: [...report, ...listUnused(site, new Set([...pictures].map(withoutSize)))],
    works: found => wanted.map(it => ({ title: it.title, prepare: () => prepare(it, convert(it), found) })),
  }
}

const sourceOf = (block: ImportedBlock) => (block.type === 'picture' ? [block.source] : [])

function describeKnown({ title: document }: Candidate, state: string | undefined): ReportLine[] {
  const leaveOut = (why: string): ReportLine[] => [{ kind: 'left out', document, what: 'Document', why }]
  if (state === 'here') return leaveOut('it was imported before, and stays as it is')
  if (state === 'deleted')
    return leaveOut('it was imported before and deleted since: bring it back from the deleted documents')
  return state === 'impossible' ? leaveOut('no address like its own is free') : []
}

async function prepare(
  { origin, kind, path, from }: Candidate,
  { title, description, author, blocks, notes }: ReturnType<ReturnType<typeof createConverter>>,
  pictures: Pictures,
) {
  const more: Note[] = []
  const filled = []
  for (const block of blocks) {
    if (block.type !== 'picture') filled.push(block)
    else filled.push(await fill(block, pictures, more))
  }
  const parts = divide(filled, more)
  const documents = parts.map((own, at): PreparedDocument => {
    const isFirst = at === 0
    const name = parts.length === 1 ? title : `${title} (${at + 1} of ${parts.length})`
    const body = { path, title: name, description, blocks: own, ...(kind === 'article' && { author }) }
    return {
      title: name,
      origin: isFirst ? origin : `${origin}#${at + 1}`,
      kind,
      path: isFirst ? path : `${path}-part-${at + 1}`,
      body: JSON.stringify(body),
      from: isFirst ? [...from] : [],
    }
  })
  if (parts.length > 1)
    more.push({ kind: 'changed', what: `It became ${parts.length} documents`, why: 'it is too long for one' })
  return { documents, notes: [...notes, ...more] }
}

type Block = Exclude<ImportedBlock, { type: 'picture' }> | Awaited<ReturnType<typeof fill>>

/** The place of a picture that is missing stays, so that somebody can choose another one. */
async function fill(
  { id, source, alt, caption }: Extract<ImportedBlock, { type: 'picture' }>,
  pictures: Pictures,
  notes: Note[],
) {
  const found = await pictures.find(source)
  const block = { id, type: 'picture' as const, caption }
  if (typeof found !== 'string') return { ...block, picture: { ...newPictureUse(found), alt } }
  const what = `Picture ${quote(source) || 'without an address'}${alt ? ` (${quote(alt)})` : ''}`
  notes.push({ kind: 'left out', what, why: `${found}; its place is empty` })
  return { ...block, picture: null }
}

/** Blocks for one document after the other. */
function divide(blocks: readonly Block[], notes: Note[]): Block[][] {
  const parts: Block[][] = [[]]
  let bytes = 0
  for (const block of blocks) {
    const size = new TextEncoder().encode(JSON.stringify(block)).length
    const last = parts.at(-1) ?? []
    const isFull = last.length >= MAX_BLOCKS || bytes + size > MAX_DOCUMENT
    if (size > MAX_DOCUMENT || (isFull && parts.length >= MAX_PARTS)) {
      notes.push({
        kind: 'left out',
        what: `A part of ${size} bytes: ${quote(textOf(block))}`,
        why: 'it is too long',
      })
    } else if (isFull && last.length > 0) {
      parts.push([block])
      bytes = size
    } else {
      last.push(block)
      bytes += size
    }
  }
  return parts
}

/** Its first words, by which somebody finds it in the old site. */
function textOf(block: Block): string {
  const [, words = ''] = /"text":"((?:[^"\\]|\\.){0,100})/.exec(JSON.stringify(block).slice(0, 1000)) ?? []
  return words
}
