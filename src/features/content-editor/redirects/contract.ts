import * as z from 'zod/mini'
import { MAX_OLD_ADDRESS } from '../../../content/old-addresses.ts'
import { Empty, singleLine } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'

/** Pages that are there whatever staff write. */
export const fixedPages = ['/', '/about-us', '/team', '/contact', '/visas', '/news'] as const

/** Of one call: a file with more lines is sent in several. */
export const REDIRECTS_AT_ONCE = 200
/** That staff name; as many again are kept of pages that are renamed. */
export const MAX_NAMED = 8000

/** Longer than any old address: why it is none is said for its line. */
const Written = singleLine(0, '', MAX_OLD_ADDRESS * 3, 'The address')

const Redirect = z.object({
  from: z.string(),
  /** The path to which it leads once that page is live. */
  to: z.string(),
  title: z.string(),
  /** Null for a fixed page. */
  documentId: z.nullable(z.string()),
  /** Whether visitors are led there now. */
  isLive: z.boolean(),
  createdAt: z.string(),
})
export type Redirect = z.output<typeof Redirect>

export const NamedRedirect = z.strictObject({
  from: Written,
  /** The path of a page, live or not, or of a fixed page. */
  to: Written,
})
export type NamedRedirect = z.output<typeof NamedRedirect>

export const redirects = {
  /** By address. */
  list: endpoint({
    method: 'GET',
    path: '/api/content/redirects',
    access: 'content:read',
    summary: 'List the old addresses, and where each leads',
    input: z.strictObject({
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(500)), 100),
      /** The `nextCursor` of the previous page. */
      cursor: z.optional(z.string().check(z.maxLength(MAX_OLD_ADDRESS))),
      /** Part of the old address. */
      q: z.optional(singleLine(0, '', 200, 'The search')),
    }),
    reply: z.object({ redirects: z.array(Redirect), nextCursor: z.nullable(z.string()) }),
  }),
  /** Adds those that can be, in place of what these addresses led to. */
  add: endpoint({
    method: 'POST',
    path: '/api/content/redirects',
    access: 'content:edit',
    // It changes at once where visitors are led, and no second person approves it.
    tokenAuth: 'denied',
    summary: 'Add old addresses, or only check them',
    bodyLimit: 512 * 1024,
    input: z.strictObject({
      redirects: z.array(NamedRedirect).check(z.minLength(1), z.maxLength(REDIRECTS_AT_ONCE)),
      /** Changes nothing. */
      isTrial: z.optional(z.boolean()),
    }),
    reply: z.object({
      /** Of each in its order. */
      outcomes: z.array(
        z.object({
          /** As it is kept; what was sent, if it cannot be kept. */
          from: z.string(),
          outcome: z.enum(['added', 'changed', 'same', 'refused']),
          /** Why it was refused; empty otherwise. */
          message: z.string(),
          /** Which of the two that is about; null otherwise. */
          field: z.nullable(z.enum(['from', 'to'])),
        }),
      ),
    }),
    stale: ['/api/content/redirects'],
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/content/redirects/removal',
    access: 'content:edit',
    // It changes at once where visitors are led, and no second person approves it.
    tokenAuth: 'denied',
    errorStatuses: [404],
    summary: 'Remove an old address: it leads nowhere',
    input: z.strictObject({ from: Written }),
    reply: Empty,
    stale: ['/api/content/redirects'],
  }),
}
