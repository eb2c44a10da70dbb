import { type ApiClient, ApiError } from '../../../http/api-client.ts'
import { logoUrl } from '../../../pictures/sizes.ts'
import { UnreadableFile } from '../../../platform/zip.ts'
import { facts } from '../facts/contract.ts'
import { type NamedRedirect, REDIRECTS_AT_ONCE } from '../redirects/contract.ts'
import {
  type ArchivedDocument,
  isLiveElsewhere,
  LOGO_FILE,
  logoIn,
  MAX_PICTURE_FILE,
  type OpenedArchive,
  originOf,
  picturesIn,
  withLogo,
  withPictures,
} from './archive.ts'
import { moving, type Taken } from './contract.ts'
import type { Work } from './import-run.ts'
import type { StoredPicture } from './imported-pictures.ts'
import { type Note, quote, type ReportLine } from './report.ts'

type KeepFile = (id: string, bytes: Uint8Array<ArrayBuffer>) => Promise<Pick<StoredPicture, 'id'>>

export interface ArchiveTools {
  /** Stores a picture under its id, if that is free. */
  readonly keepPicture: KeepFile
  /** Stores a logo, unless it is here already. */
  readonly keepLogo: KeepFile
}

export interface ArchivePlan {
  readonly added: number
  /** Documents that are here already, by origin or by address. */
  readonly here: number
  readonly lines: readonly ReportLine[]
  works(tools: ArchiveTools): Work[]
}

/** Asks what of an archive is here already. @throws {ApiError} */
export async function planArchive(
  opened: OpenedArchive,
  taken: Taken,
  call: ApiClient,
): Promise<ArchivePlan> {
  const { documents, unreadable, manifest } = opened
  const wanted = documents.map(document => ({
    origin: originOf(document),
    kind: document.kind,
    path: document.path,
  }))
  const { places } = await call(moving.plan, { documents: wanted, taken })
  const here = places.filter(({ state }) => state !== 'new').length
  const lines: ReportLine[] = unreadable.map(([document, why]) => ({
    ...{ kind: 'left out', document, what: 'Document', why },
  }))
  const known = new Set((await call(facts.list, {})).facts.map(({ name }) => name))
  for (const { name, value } of manifest.facts)
    if (!known.has(name))
      lines.push({
        ...{ kind: 'left out', document: 'Facts', what: `${quote(name)}: ${quote(value)}` },
        why: 'add it under Facts, with its source',
      })
  return {
    added: places.length - here,
    here,
    lines,
    works: ({ keepPicture, keepLogo }) => {
      const stored = {
        picture: createStored(opened, 'webp', keepPicture),
        logo: createStored(opened, 'png', keepLogo),
      }
      return documents.map(document => ({
        title: document.title,
        prepare: () => prepare(document, stored),
      }))
    },
  }
}

type Stored = Record<'picture' | 'logo', ReturnType<typeof createStored>>

/** Stores each picture once. @returns its id here, or why there is none */
function createStored({ archive }: OpenedArchive, format: 'webp' | 'png', keep: KeepFile) {
  const known = new Map<string, ReturnType<typeof store>>()
  let refusal: string | null = null

  async function store(id: string): Promise<Pick<StoredPicture, 'id'> | string> {
    if (refusal !== null) return refusal
    try {
      const bytes = await archive.read(`pictures/${id}.${format}`, MAX_PICTURE_FILE)
      return bytes ? await keep(id, bytes) : 'it is not in the archive'
    } catch (error) {
      if (error instanceof UnreadableFile) return error.message
      if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error
      if (error.code === 'quota_reached') refusal = error.message
      return error.message
    }
  }

  return async (id: string) => {
    const found = known.get(id) ?? store(id)
    known.set(id, found)
    return await found
  }
}

/** Uploads a logo, unless it came from here: its largest size is then the same. */
export function keepOnce(
  fetchPicture: (address: string) => Promise<Uint8Array<ArrayBuffer> | null>,
  upload: (bytes: Uint8Array<ArrayBuffer>) => Promise<StoredPicture>,
): KeepFile {
  return async (id, bytes) =>
    isSame(bytes, await fetchPicture(logoUrl(id, LOGO_FILE))) ? { id } : await upload(bytes)
}

function isSame(one: Uint8Array, other: Uint8Array | null): boolean {
  return one.length === other?.length && one.every((byte, at) => byte === other[at])
}

async function prepare(document: ArchivedDocument, stored: Stored) {
  const { kind, path, title, draft } = document
  const notes: Note[] = []
  const ids = new Map<string, string>()
  for (const id of picturesIn(withLogo(draft, null))) {
    const found = await stored.picture(id)
    if (typeof found === 'string') notes.push({ kind: 'left out', what: `Picture ${id}`, why: found })
    else if (found.id !== id) {
      ids.set(id, found.id)
      notes.push({ kind: 'changed', what: `Picture ${id}`, why: `it is ${found.id} here` })
    }
  }
  let own = withPictures(draft, ids)
  for (const id of kind === 'site' ? logoIn(draft) : []) {
    const found = await stored.logo(id)
    // A picture that was no logo has none of its sizes, so the site could not be published.
    own = withLogo(own, typeof found === 'string' ? null : found.id)
    if (typeof found === 'string') notes.push({ kind: 'left out', what: 'The logo', why: found })
    else if (found.id !== id)
      notes.push({ kind: 'changed', what: 'The logo', why: `it is the picture ${found.id} here` })
  }
  if (isLiveElsewhere(document))
    notes.push({
      ...{
        kind: 'left out',
        what: 'What was live',
        why: 'it differs from the draft, and only drafts are imported',
      },
    })
  const body = JSON.stringify(own)
  return { documents: [{ title, origin: originOf(document), kind, path, body, from: [] }], notes }
}

/** Adds the old addresses of an archive, once its documents are here. */
export async function importRedirects(
  all: readonly NamedRedirect[],
  add: (
    some: NamedRedirect[],
  ) => Promise<{ outcomes: readonly { from: string; outcome: string; message: string }[] }>,
): Promise<ReportLine[]> {
  const lines: ReportLine[] = []
  for (let at = 0; at < all.length; at += REDIRECTS_AT_ONCE) {
    const { outcomes } = await add(all.slice(at, at + REDIRECTS_AT_ONCE))
    for (const { from, outcome, message } of outcomes)
      if (outcome === 'refused')
        lines.push({ kind: 'left out', document: 'Old addresses', what: quote(from), why: message })
  }
  return lines
}
