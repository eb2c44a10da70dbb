import * as z from 'zod/mini'
import { Empty } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { VersionNumber } from '../contract.ts'
import { Reason } from '../schemas.ts'

const DocumentId = z.uuid('There is no such document')

/** The most urgent first: what names the sample's agent as the agency's, what visitors may rely on, and the rest. */
export const groups = ['agent', 'claims', 'words'] as const

const Sample = z.object({
  document: z.object({ id: z.string(), title: z.string() }),
  /** A stable path, such as `company.abn` or `claims.#claim-1`. */
  path: z.string(),
  /** The path of the field in what is live, for a link to it. */
  field: z.string(),
  /** The field in words: "Company, ABN". */
  label: z.string(),
  /** What it says. */
  text: z.string(),
  /** Whether visitors do not see it. */
  isHidden: z.boolean(),
  group: z.enum(groups),
  /** Whether the reader may confirm it: a claim may be true of the agency as it stands. */
  mayConfirm: z.boolean(),
})
export type Sample = z.output<typeof Sample>

/** The version of a document that is without samples. */
const Removal = z.strictObject({ id: DocumentId, number: VersionNumber })
export type Removal = z.output<typeof Removal>

/** A document that is as it was, and why. */
const Refused = z.object({ title: z.string(), message: z.string() })
export type Refused = z.output<typeof Refused>

/** Of one call: more than a site has samples. */
const MAX_SAMPLES = 1000

export const Confirmation = z.strictObject({ id: DocumentId, path: z.string(), reason: Reason })

/** What came with the installation and nobody has replaced or confirmed. */
export const samples = {
  /** Those of the site first. */
  list: endpoint({
    method: 'GET',
    path: '/api/content/samples',
    access: 'content:read',
    summary: 'List the samples that are still in what is live',
    input: Empty,
    reply: z.object({
      samples: z.array(Sample),
      /** What became of the others that came with an installation: edited or removed, and confirmed as they are. */
      edited: z.number(),
      confirmed: z.number(),
    }),
  }),
  /** Publishes the document as it is, with the reason kept. */
  confirm: endpoint({
    method: 'POST',
    path: '/api/content/samples/confirmation',
    access: 'content:edit',
    tokenAuth: 'denied',
    errorStatuses: [404, 409, 422],
    summary: 'Confirm a claim of the sample, with the reason why it is true of the agency',
    input: Confirmation,
    reply: z.object({
      /** Whether it waits for a second person. */
      isRequested: z.boolean(),
    }),
    stale: ['/api/content', '/api/dashboard'],
  }),
  /** Publishes each document without them, and takes them out of its draft. */
  remove: endpoint({
    method: 'POST',
    path: '/api/content/samples/removal',
    access: 'content:edit',
    tokenAuth: 'denied',
    summary: 'Remove samples, all by default',
    input: z.strictObject({
      samples: z.optional(
        z.array(z.strictObject({ id: DocumentId, path: z.string() })).check(z.maxLength(MAX_SAMPLES)),
      ),
    }),
    reply: z.object({
      removed: z.number(),
      /** What can be undone. */
      removals: z.array(Removal),
      /** Documents whose removal waits for a second person. */
      requested: z.array(z.string()),
      refused: z.array(Refused),
    }),
    stale: ['/api/content', '/api/dashboard', '/api/settings'],
  }),
  /** Puts them back, for the person who removed them, as long as nothing else was published since. */
  undo: endpoint({
    method: 'POST',
    path: '/api/content/samples/removal/undo',
    access: 'content:edit',
    tokenAuth: 'denied',
    summary: 'Put removed samples back',
    input: z.strictObject({ removals: z.array(Removal).check(z.maxLength(MAX_SAMPLES)) }),
    reply: z.object({
      /** Documents that wait for a second person. */
      requested: z.array(z.string()),
      refused: z.array(Refused),
    }),
    stale: ['/api/content', '/api/dashboard', '/api/settings'],
  }),
}
