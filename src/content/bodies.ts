import * as z from 'zod/mini'
import type { ContentKind } from '../database/content-tables.ts'
import { fieldErrors } from '../http/field-errors.ts'
import { factsInCell } from './blocks/blocks.ts'
import { isList, isObject, walk } from './json.ts'
import { ArticleBody, PageBody, VisaBody } from './page-bodies.ts'
import { SiteBody } from './site-body.ts'

/** A stored body of any kind: JSON with the number of its schema. */
export interface StoredBody {
  readonly body: string
  readonly schema: number
}

const Body = z.record(z.string(), z.unknown())
export type Body = z.output<typeof Body>

/** Turns a body of one schema into one of the next. Pure, and never edited once it is released. */
type Upgrade = (body: Body) => Body

interface Format {
  readonly schema: z.ZodMiniType
  /** The first turns schema 1 into schema 2. Each old schema has a file in `tests/fixtures/content`. */
  readonly upgrades: readonly Upgrade[]
}

const formats: Record<ContentKind, Format> = {
  site: { schema: SiteBody, upgrades: [addKindsOfVisas] },
  page: { schema: PageBody, upgrades: [] },
  article: { schema: ArticleBody, upgrades: [] },
  visa: { schema: VisaBody, upgrades: [] },
}

/** Schema 2: a place in the list of visas is a page or a description, and says whether the home page shows it. */
function addKindsOfVisas(site: Body): Body {
  const visas: unknown[] = Array.isArray(site.visaCategories) ? site.visaCategories : []
  return {
    ...site,
    visaCategories: visas.map(visa => ({ kind: 'described', isOnHome: true, ...Object(visa) })),
  }
}

export function currentSchema(kind: ContentKind): number {
  return formats[kind].upgrades.length + 1
}

/** Reads a stored body in today's schema. @throws {Error} when a later version of the product wrote it */
export function readBody(kind: ContentKind, { body, schema }: StoredBody): Body {
  if (schema > currentSchema(kind)) throw new Error(`The ${kind} has the schema ${schema}, which is too new`)
  const upgrades = formats[kind].upgrades.slice(schema - 1)
  return upgrades.reduce((upgraded, upgrade) => upgrade(upgraded), Body.parse(JSON.parse(body)))
}

/** Objects, lists and texts in one body: the site has about 1,100, and a long page fewer. */
const MAX_PARTS = 20_000

export type BodyErrors = Readonly<Record<string, string>>

/** What is wrong with a body that is published, by path such as `slides.0.title`. */
export function findErrors(kind: ContentKind, body: unknown): BodyErrors {
  const { error } = formats[kind].schema.safeParse(body)
  return { ...findUnshown(body), ...fieldErrors(error?.issues ?? []), ...findSameIds(body) }
}

/** Texts that are published have only characters that can be shown. What was published before is read as it is. */
function findUnshown(body: unknown): BodyErrors {
  const errors: Record<string, string> = {}
  for (const { path, value } of walk(body))
    if (typeof value === 'string' && dropUnshown(value) !== value)
      errors[path] = 'Remove the characters that cannot be shown'
  return errors
}

/**
 * What is wrong with the shape of a draft. Its texts may still be missing, too long or not what they must be. Only a body of
 * the right shape is searched for equal ids: the keys of another one, of any length, would be repeated in each path.
 */
export function findShapeErrors(kind: ContentKind, body: unknown): BodyErrors {
  const issues = formats[kind].schema.safeParse(body).error?.issues.filter(isAboutShape) ?? []
  return issues.length > 0 ? fieldErrors(issues) : findSameIds(body)
}

const aboutValues: ReadonlySet<string> = new Set(['too_small', 'too_big', 'invalid_format', 'custom'])

function isAboutShape(issue: z.core.$ZodIssue): boolean {
  // Of a list that is too long, zod does not look at the items.
  if (issue.code === 'too_big' && issue.origin === 'array') return true
  return !aboutValues.has(issue.code)
}

/** Two people's changes to a list can be merged only while each of its items has an id of its own. */
function findSameIds(body: unknown): BodyErrors {
  const errors: Record<string, string> = {}
  for (const { path, value } of walk(body)) if (hasSameIds(value)) errors[path] = 'Two items have the same id'
  return errors
}

function hasSameIds(value: unknown): boolean {
  if (!isList(value)) return false
  const ids = value.flatMap(item => (isObject(item) && 'id' in item ? [item.id] : []))
  return new Set(ids).size < ids.length
}

/** The facts that a body refers to, each with its path. A cell of a table is a text, which may name several. */
export function findFactNames(body: unknown): readonly (readonly [path: string, name: string])[] {
  const names: (readonly [string, string])[] = []
  for (const { path, value } of walk(body)) {
    if (typeof value !== 'string') continue
    if (/\.cells\.[^.]+$/.test(path)) names.push(...factsInCell(value).map(name => [path, name] as const))
    else if (/(^|\.)(fact|attrs\.name)$/.test(path)) names.push([path, value])
  }
  return names
}

/** The pictures that a body names, by the path of each, but not the texts of cells. */
export function findPictureIds(body: unknown): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const { path, key, value } of walk(body))
    if (typeof value === 'string' && key === 'picture' && !path.endsWith('.cells.picture'))
      ids.set(path, value)
  return ids
}

/** Whether a body has more parts than any page, so that checking it would keep everybody else waiting. */
export function isTooLong(body: unknown): boolean {
  const left = [body]
  for (let parts = 1; left.length > 0; ) {
    const value = left.pop()
    const inside: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : []
    parts += inside.length
    if (parts > MAX_PARTS) return true
    left.push(...inside)
  }
  return false
}

const TypedBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('site'), body: SiteBody }),
  z.strictObject({ kind: z.literal('page'), body: PageBody }),
  z.strictObject({ kind: z.literal('article'), body: ArticleBody }),
  z.strictObject({ kind: z.literal('visa'), body: VisaBody }),
])
export type TypedBody = z.output<typeof TypedBody>

/** @throws when the stored body is not valid in today's schema */
export function parseStored(kind: ContentKind, stored: StoredBody): TypedBody {
  return TypedBody.parse({ kind, body: readBody(kind, stored) })
}

/** A draft has the shape of its kind, but its texts may be missing, too long or not what they must be. */
export function readDraft(kind: ContentKind, stored: StoredBody): TypedBody | null {
  const draft = { kind, body: readBody(kind, stored) }
  return hasShape(draft) ? draft : null
}

function hasShape(draft: { kind: ContentKind; body: unknown }): draft is TypedBody {
  return Object.keys(findShapeErrors(draft.kind, draft.body)).length === 0
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNSHOWN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu

/** Drops halves of characters, controls and what XML 1.0 forbids, which no browser shows and one of which breaks a feed. */
export function dropUnshown(text: string): string {
  return text.replace(UNSHOWN, '')
}
