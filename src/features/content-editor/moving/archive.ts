import * as z from 'zod/mini'
import { isEqual, isObject, type JsonObject, walk } from '../../../content/json.ts'
import { PICTURE_ID } from '../../../content/picture-use.ts'
import type { ApiClient } from '../../../http/api-client.ts'
import { type LogoSize, logoUrl, pictureUrl, widths } from '../../../pictures/sizes.ts'
import { type Archive, createArchive, openArchive, UnreadableFile } from '../../../platform/zip.ts'
import { pictures } from '../../pictures/contract.ts'
import { content, kinds } from '../contract.ts'
import { facts } from '../facts/contract.ts'
import { redirects } from '../redirects/contract.ts'
import { OWN_ORIGIN } from './contract.ts'
import { quote } from './report.ts'

/**
 * All content of an installation as one ZIP archive: `manifest.json`, each document in `documents/<id>.json`, each picture in
 * `pictures/<id>.webp`, the logo also in `pictures/<id>.png`. The server writes none of it: the browser asks for what its user may read anyway.
 */

/** Of the format. A later one that this version cannot read has another number. */
const VERSION = 1
const FORMAT = 'landfall-content'
/** Bytes of the manifest, of one document with draft and live version, and of one picture. */
const MAX_MANIFEST = 8 * 1024 * 1024
const MAX_DOCUMENT_FILE = 4 * 1024 * 1024
export const MAX_PICTURE_FILE = 8 * 1024 * 1024
/** Documents of an archive: more than a site can have. */
const MAX_DOCUMENT_FILES = 5000

const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  redirects: z.array(z.object({ from: z.string(), to: z.string() })),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type Manifest = z.output<typeof Manifest>

const Body = z.record(z.string(), z.unknown())
const DocumentFile = z.object({
  id: z.string().check(z.maxLength(100)),
  kind: z.enum(kinds),
  path: z.string().check(z.maxLength(300)),
  title: z.string(),
  draft: Body,
  /** What visitors see; null for nothing. */
  live: z.nullable(Body),
})
export type ArchivedDocument = z.output<typeof DocumentFile>

interface Reading {
  readonly call: ApiClient
  /** The bytes of a picture; null if it is gone. */
  readonly fetchPicture: (address: string) => Promise<Uint8Array<ArrayBuffer> | null>
  readonly onProgress: (done: number, what: string) => void
  readonly signal: AbortSignal
}

/** Writes an archive of all documents, old addresses, facts and pictures. */
export async function exportArchive({ call, fetchPicture, onProgress, signal }: Reading) {
  const archive = createArchive()
  const missing: string[] = []
  let done = 0
  const next = (what: string) => {
    signal.throwIfAborted()
    onProgress(done++, what)
  }
  const documents = await readPages(async cursor => {
    const page = await call(content.list, { limit: 200, cursor })
    return { rows: page.documents, nextCursor: page.nextCursor }
  })
  const logos = new Set<string>()
  for (const { id, title } of documents) {
    next(title)
    const { document, draft, live } = await call(content.open, { id })
    const { kind, path } = document
    const file: ArchivedDocument = { id, kind, path, title, draft: draft.body, live: live?.body ?? null }
    for (const body of [file.draft, file.live]) for (const logo of logoIn(body)) logos.add(logo)
    archive.add(`documents/${id}.json`, JSON.stringify(file, null, 1))
  }
  const stored = await readPages(async after => {
    const page = await call(pictures.list, after === undefined ? {} : { after })
    return { rows: page.pictures, nextCursor: page.nextCursor }
  })
  for (const { id, width } of stored) {
    next(`Picture ${id}`)
    const bytes = await fetchPicture(pictureUrl(id, widths(width).at(-1) ?? width, 'webp'))
    if (bytes) archive.add(`pictures/${id}.webp`, bytes)
    else missing.push(id)
    const drawn = logos.has(id) ? await fetchPicture(logoUrl(id, LOGO_FILE)) : null
    if (drawn) archive.add(`pictures/${id}.png`, drawn)
  }
  const old = await readPages(async cursor => {
    const page = await call(redirects.list, { limit: 500, cursor })
    return { rows: page.redirects, nextCursor: page.nextCursor }
  })
  const known = await call(facts.list, {})
  const manifest = {
    ...{ format: FORMAT, version: VERSION, missingPictures: missing },
    redirects: old.map(({ from, to }) => ({ from, to })),
    facts: known.facts.map(({ name, fact }) => ({ name, ...fact })),
  }
  archive.add('manifest.json', JSON.stringify(manifest, null, 1))
  return {
    file: archive.finish(),
    documents: documents.length,
    pictures: stored.length - missing.length,
    missing,
  }
}

async function readPages<Row>(
  read: (cursor: string | undefined) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>,
): Promise<Row[]> {
  const all: Row[] = []
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const page = await read(cursor)
    all.push(...page.rows)
    cursor = page.nextCursor ?? undefined
    isLast = cursor === undefined
  }
  return all
}

export interface OpenedArchive {
  readonly manifest: Manifest
  readonly documents: readonly ArchivedDocument[]
  /** Documents that cannot be read, each with the reason. */
  readonly unreadable: readonly (readonly [name: string, why: string])[]
  readonly archive: Archive
}

/** Reads what an archive has, but not its pictures. @throws {UnreadableFile} */
export async function readArchive(file: Blob): Promise<OpenedArchive> {
  const archive = await openArchive(file)
  const manifest = Manifest.safeParse(await readJson(archive, 'manifest.json', MAX_MANIFEST)).data
  if (!manifest) throw new UnreadableFile('This is not an archive that Landfall has exported.')
  if (manifest.version > VERSION)
    throw new UnreadableFile('A later version of Landfall has exported this archive. Update this one first.')
  const names = archive.names.filter(name => /^documents\/[\w-]{1,100}\.json$/.test(name))
  if (names.length > MAX_DOCUMENT_FILES)
    throw new UnreadableFile('This archive has more documents than a site can have.')
  const documents: ArchivedDocument[] = []
  const unreadable: [string, string][] = []
  for (const name of names) {
    const { data } = DocumentFile.safeParse(await readJson(archive, name, MAX_DOCUMENT_FILE))
    if (data) documents.push(data)
    else unreadable.push([name, 'it is damaged, or no document'])
  }
  // The site first, then by path, as the list has them.
  documents.sort(
    (one, other) =>
      Number(one.kind !== 'site') - Number(other.kind !== 'site') || (one.path < other.path ? -1 : 1),
  )
  return { manifest, documents, unreadable, archive }
}

async function readJson(archive: Archive, name: string, limit: number): Promise<unknown> {
  try {
    const bytes = await archive.read(name, limit)
    return bytes && JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

/** The pictures that a body names, each with its id. */
export function picturesIn(body: unknown): string[] {
  const ids = new Set<string>()
  for (const { key, value } of walk(body))
    if (key === 'picture' && typeof value === 'string' && PICTURE_ID.test(value)) ids.add(value)
  return [...ids]
}

/** Pixels of the logo in an archive: the largest that is stored, which keeps its edges and its transparency. */
export const LOGO_FILE: LogoSize = 512

/** The picture that a site has as its logo, if it has one. */
export function logoIn(body: unknown): string[] {
  const { data } = WithLogo.safeParse(body)
  return data ? [data.brand.logo.picture] : []
}

const WithLogo = z.object({
  brand: z.object({ logo: z.object({ picture: z.string().check(z.regex(PICTURE_ID)) }) }),
})

/** A body whose site has another logo, or none. */
export function withLogo(body: JsonObject, picture: string | null): JsonObject {
  if (!isObject(body.brand)) return body
  const { logo, ...brand } = body.brand
  return { ...body, brand: picture === null ? brand : { ...brand, logo: { ...Object(logo), picture } } }
}

/** A body in which pictures that got another id here are named by that. */
export function withPictures(body: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const changed: unknown = JSON.parse(JSON.stringify(body), (key, value) =>
    key === 'picture' && typeof value === 'string' ? (ids.get(value) ?? value) : value,
  )
  return isObject(changed) ? changed : body
}

/** What is lost because only drafts are imported. */
export function isLiveElsewhere({ draft, live }: ArchivedDocument): boolean {
  return live !== null && !isEqual(draft, live)
}

/** By its id in the installation that it comes from. */
export const originOf = ({ id }: ArchivedDocument) => `${OWN_ORIGIN}${quote(id)}`
