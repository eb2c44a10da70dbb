import * as z from 'zod/mini'
import { MAX_OLD_ADDRESS } from '../../../content/old-addresses.ts'
import { singleLine } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { Kind, MAX_BODY, STALE } from '../contract.ts'

/** Documents of one call, so that each call is short and its place in the progress is seen. */
export const DOCUMENTS_AT_ONCE = 10
/** Bytes of the documents of one call; a single one may be longer. */
export const MAX_IMPORT = MAX_BODY
/** Old addresses of one document. */
export const MAX_ADDRESSES = 10
/** Of one plan: a site cannot have as many. */
export const MAX_PLANNED = 5000

/** With the id of a document, the origin of what Landfall has exported. */
export const OWN_ORIGIN = 'landfall:'

const Origin = singleLine(1, 'Say where it comes from', 500, 'The origin')
/** What is no path here becomes one. */
const WantedPath = z.string().check(z.maxLength(300))

const Item = {
  /** Where it comes from. What has the same origin is the same, and is not imported again. */
  origin: Origin,
  kind: Kind,
  path: WantedPath,
}

/**
 * `number` gives it another address where its own is taken; `skip` leaves the document that has it as it is; `replace`
 * replaces the draft of that document.
 */
const Taken = z.enum(['number', 'skip', 'replace'])
export type Taken = z.output<typeof Taken>

const Imported = z.strictObject({
  ...Item,
  /** In JSON. It is read here, so that a damaged one costs no other document its import. */
  body: z.string().check(z.maxLength(MAX_BODY)),
  /** Its old addresses. */
  from: z.array(singleLine(0, '', MAX_OLD_ADDRESS * 3, 'The address')).check(z.maxLength(MAX_ADDRESSES)),
})
export type Imported = z.output<typeof Imported>

/** `kept` was imported before, or has the address, and stays as it is. `deleted` was imported, and deleted since. */
export const importOutcomes = ['added', 'replaced', 'kept', 'deleted', 'refused'] as const

const Outcome = z.object({
  origin: z.string(),
  outcome: z.enum(importOutcomes),
  /** Null where there is none. */
  documentId: z.nullable(z.string()),
  path: z.string(),
  /** Why it was refused, or not replaced; empty otherwise. */
  message: z.string(),
  /** Old addresses that lead nowhere, each with the reason. */
  refusedAddresses: z.array(z.object({ from: z.string(), message: z.string() })),
})
export type ImportOutcome = z.output<typeof Outcome>

export const moving = {
  /** Before anything is imported: links can lead to the new addresses. */
  plan: endpoint({
    method: 'POST',
    path: '/api/content/import/plan',
    access: 'content:edit',
    summary: 'Read which address each imported document would get, and which are here already',
    bodyLimit: 2 * MAX_IMPORT,
    maxKeys: 4 * MAX_PLANNED,
    input: z.strictObject({
      documents: z.array(z.strictObject(Item)).check(z.maxLength(MAX_PLANNED)),
      taken: Taken,
    }),
    reply: z.object({
      /** Of each in its order. */
      places: z.array(
        z.object({
          path: z.string(),
          /** `here` is what has the same origin, or the same address unless that is numbered. */
          state: z.enum(['new', 'here', 'deleted', 'impossible']),
        }),
      ),
      /** How many documents can still be added. */
      room: z.number(),
    }),
  }),
  /** Each document is a draft, or not there at all. Nothing goes live. */
  import: endpoint({
    method: 'POST',
    path: '/api/content/import',
    access: 'content:edit',
    summary: 'Import documents as drafts, each once however often it is sent',
    errorStatuses: [409, 413],
    // A body is a text, in which each quote is two characters.
    bodyLimit: 3 * MAX_BODY,
    input: z.strictObject({
      documents: z.array(Imported).check(z.minLength(1), z.maxLength(DOCUMENTS_AT_ONCE)),
      taken: Taken,
    }),
    reply: z.object({
      /** Of each in its order. */
      outcomes: z.array(Outcome),
    }),
    stale: STALE,
  }),
}
