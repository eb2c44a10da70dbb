import * as z from 'zod/mini'
import { Finding, RecordedOverride } from '../../content/claims/finding.ts'
import { ById, Empty, singleLine } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { DeclinedReview, KnownClaims, Override, Review } from './schemas.ts'
import { templateNames } from './templates.ts'

/** Who may call: one place for all calls of this feature. */
const READ = 'content:read'
const EDIT = 'content:edit'
/** What a change makes out of date. */
export const STALE = ['/api/content', '/api/dashboard']
const READS = { method: 'GET', access: READ } as const
const POSTS = { method: 'POST', access: EDIT, stale: STALE } as const

/** Bytes. A page of a hundred screens is a tenth of that. */
export const MAX_BODY = 1024 * 1024
/** More than the longest document has. */
export const MAX_KEYS = 25_000
/** Characters of what somebody says about a version. */
export const NOTE_LENGTH = 300
/** Characters of a summary after which search engines cut. They measure pixels, so it is about right only. */
export const SHOWN_SUMMARY = 155
/** The largest whole number of both databases. */
const MAX_INTEGER = 2 ** 31 - 1

/** The kinds that staff can add. There is one site document. */
export const newKinds = ['page', 'article', 'visa'] as const
export const kinds = ['site', ...newKinds] as const
export const Kind = z.enum(kinds)

/**
 * What visitors see compared with the draft: the same; something else; something else at a time that is set; nothing;
 * nothing of a document that was deleted.
 */
export const documentStates = ['live', 'changed', 'scheduled', 'offline', 'deleted'] as const
export type DocumentState = (typeof documentStates)[number]

export const ContentDocument = z.object({
  id: z.string(),
  kind: Kind,
  path: z.string(),
  title: z.string(),
  language: z.string(),
  state: z.enum(documentStates),
  updatedAt: z.string(),
  editedBy: z.string(),
})
export type ContentDocument = z.output<typeof ContentDocument>

const Body = z.record(z.string(), z.unknown())
const Revision = z.number().check(z.int(), z.gte(1), z.lte(MAX_INTEGER))

export const Draft = z.object({
  body: Body,
  revision: z.number(),
  editedBy: z.string(),
  editedAt: z.string(),
})
export type Draft = z.output<typeof Draft>

const Version = z.object({
  number: z.number(),
  author: z.string(),
  note: z.string(),
  createdAt: z.string(),
})
export type Version = z.output<typeof Version>

export const PublishedVersion = z.extend(Version, { liveFrom: z.string() })
export type PublishedVersion = z.output<typeof PublishedVersion>

const OpenDocument = z.object({
  document: ContentDocument,
  draft: Draft,
  /** What visitors see now. */
  live: z.nullable(z.object({ number: z.number(), path: z.string(), body: Body, liveFrom: z.string() })),
  /** What they will see, and from when. */
  scheduled: z.nullable(z.object({ number: z.number(), liveFrom: z.string() })),
  /** Whether publishing needs a second person: then one asks for a review instead. */
  needsReview: z.boolean(),
  /** What waits for a second person. */
  review: z.nullable(Review),
  declined: z.nullable(DeclinedReview),
  /** Of the office, in which times are chosen and shown. */
  timeZone: z.string(),
  /** When the office opens on the next day that it works; null if it never does. */
  nextMorning: z.nullable(z.string()),
  /** The pages that a link may lead to, and whether visitors can open them. */
  pages: z.array(z.object({ path: z.string(), title: z.string(), isLive: z.boolean() })),
  claims: KnownClaims,
})
export type OpenDocument = z.output<typeof OpenDocument>

const limit = z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 100)

const DocumentQuery = z.strictObject({
  limit,
  /** The `nextCursor` of the previous page. */
  cursor: z.optional(z.string().check(z.maxLength(300))),
  /** Part of the title or the path. */
  q: z.optional(singleLine(0, '', 200, 'The search')),
  kind: z.optional(Kind),
  /** Deleted documents are listed only if they are asked for. */
  state: z.optional(z.enum(documentStates)),
  /** The name of the person who changed the draft last. */
  editedBy: z.optional(singleLine(0, '', 200, 'The name')),
})
export type DocumentQuery = z.output<typeof DocumentQuery>

export const NewDocument = z.strictObject({
  kind: z.enum(newKinds, 'Choose what to add'),
  path: z.string('Give an address').check(z.trim(), z.maxLength(200)),
  title: singleLine(1, 'Give a title', 200, 'Title'),
  /** What it starts with; nothing, if it is left out. */
  template: z.optional(z.enum(templateNames, 'Choose a template')),
})
export type NewDocument = z.output<typeof NewDocument>

/** The error of `liveFrom`, at which the portal asks whether to publish now. */
export const TIME_PASSED = 'This time has passed'

export const Publication = z.strictObject({
  id: ById.shape.id,
  revision: Revision,
  note: z.optional(singleLine(0, '', NOTE_LENGTH, 'Note')),
  /** Now, if it is left out. A time that passed more than a minute ago is refused. */
  liveFrom: z.optional(z.iso.datetime({ offset: true, error: 'Give a date and a time' })),
  overrides: z.optional(z.array(Override).check(z.maxLength(200))),
})
export type Publication = z.output<typeof Publication>

export const VersionNumber = z.coerce.number().check(z.int(), z.gte(1), z.lte(MAX_INTEGER))
const ByNumber = z.strictObject({ id: ById.shape.id, number: VersionNumber })

export const content = {
  /** The site first, then by path. */
  list: endpoint({
    ...READS,
    path: '/api/content',
    summary: 'List the documents that the public pages show',
    input: DocumentQuery,
    reply: z.object({
      documents: z.array(ContentDocument),
      nextCursor: z.nullable(z.string()),
      /** Everybody who changed a draft last, by name. */
      people: z.array(z.string()),
    }),
  }),
  create: endpoint({
    ...POSTS,
    path: '/api/content',
    summary: 'Add a document with an empty draft',
    errorStatuses: [409],
    status: 201,
    input: NewDocument,
    reply: z.object({ document: ContentDocument }),
  }),
  duplicate: endpoint({
    ...POSTS,
    path: '/api/content/:id/duplicate',
    summary: 'Add a document with the draft of another one',
    errorStatuses: [409],
    status: 201,
    input: ById,
    reply: z.object({ document: ContentDocument }),
  }),
  open: endpoint({
    ...READS,
    path: '/api/content/:id',
    summary: 'Read a document, its draft and what is live',
    input: ById,
    reply: OpenDocument,
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/api/content/:id/draft',
    access: EDIT,
    summary: 'Replace a draft that nobody has changed since',
    errorStatuses: [409],
    bodyLimit: MAX_BODY,
    maxKeys: MAX_KEYS,
    input: z.strictObject({ id: ById.shape.id, body: Body, revision: Revision }),
    reply: z.object({ revision: z.number() }),
  }),
  check: endpoint({
    ...READS,
    path: '/api/content/:id/check',
    summary: 'Read all that keeps a draft from being published',
    input: ById,
    reply: z.object({
      /** By path. */
      errors: z.record(z.string(), z.string()),
      findings: z.array(Finding),
    }),
  }),
  publish: endpoint({
    ...POSTS,
    path: '/api/content/:id/publish',
    summary: 'Publish a draft, now or at a time',
    errorStatuses: [409, 422],
    input: Publication,
    reply: z.object({ version: PublishedVersion }),
  }),
  unpublish: endpoint({
    ...POSTS,
    path: '/api/content/:id/unpublish',
    summary: 'Take a document offline, and cancel what is scheduled',
    errorStatuses: [409],
    input: ById,
    reply: z.object({ document: ContentDocument }),
  }),
  versions: endpoint({
    ...READS,
    path: '/api/content/:id/versions',
    summary: 'List the versions of a document, newest first',
    input: z.strictObject({ id: ById.shape.id, limit, cursor: z.optional(VersionNumber) }),
    reply: z.object({ versions: z.array(Version), nextCursor: z.nullable(z.number()) }),
  }),
  version: endpoint({
    ...READS,
    path: '/api/content/:id/versions/:number',
    summary: 'Read a version of a document',
    input: ByNumber,
    reply: z.object({ version: z.extend(Version, { body: Body }) }),
  }),
  restore: endpoint({
    ...POSTS,
    path: '/api/content/:id/versions/:number/restore',
    summary: 'Make an old version the draft',
    input: ByNumber,
    reply: z.object({ draft: Draft }),
  }),
}

/** Deleting a document keeps its versions: they prove what the site claimed. */
export const archive = {
  delete: endpoint({
    method: 'DELETE',
    path: '/api/content/:id',
    access: EDIT,
    summary: 'Delete a document: it goes offline and out of the list',
    errorStatuses: [409],
    input: ById,
    reply: Empty,
  }),
  /** Within ten minutes it is as it was before; later it comes back offline. */
  restore: endpoint({
    ...POSTS,
    path: '/api/content/:id/unarchive',
    summary: 'Bring a deleted document back',
    errorStatuses: [409],
    input: ById,
    reply: z.object({ document: ContentDocument }),
  }),
}

const Claim = z.extend(RecordedOverride, {
  document: z.object({ id: z.string(), kind: Kind, path: z.string(), title: z.string() }),
  /** The number of the version that is live. */
  version: z.number(),
  /** The field in words: "Slides 1, Title". */
  field: z.string(),
  /** Whether visitors do not see it until somebody confirms it. */
  isHidden: z.boolean(),
})
export type Claim = z.output<typeof Claim>

export const claims = {
  /** By document. */
  list: endpoint({
    ...READS,
    path: '/api/content/claims',
    summary: 'List the claims that visitors read, with the reasons that staff gave for them',
    input: Empty,
    reply: z.object({ claims: z.array(Claim) }),
  }),
}
