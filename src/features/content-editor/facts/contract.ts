import * as z from 'zod/mini'
import { FactName, HttpsUrl, NewFactName } from '../../../content/references.ts'
import { ById, Empty, singleLine } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { STALE } from '../contract.ts'

/** An admin can make a token of anyone, so a token proves no second person. */
const inPerson = { access: 'content:edit', tokenAuth: 'denied', stale: STALE } as const

/** Names. More than any agency keeps up to date. */
export const MAX_FACTS = 500
/** Rows of one fact, which are all kept. Daily changes for years, and together as many as a database holds easily. */
export const MAX_FACT_ROWS = 1000

const day = (missing: string) => z.iso.date({ error: missing })

const fields = {
  value: singleLine(1, 'Give the value', 2000, 'Value'),
  /** Empty for none. */
  unit: singleLine(0, '', 100, 'Unit'),
  asAt: day('Give the date on which it was so'),
  source: z.strictObject({
    label: singleLine(1, 'Name the source', 300, 'Source'),
    url: HttpsUrl.check(z.maxLength(2000, 'The address is too long')),
  }),
  reviewBy: day('Give the date of the next check'),
  /** The last day on which it holds; null while none is known. */
  endsOn: z.nullable(day('Give the last day on which it holds')),
}

export const FactFields = z.strictObject(fields).check(
  z.refine(({ asAt, reviewBy }) => reviewBy > asAt, {
    path: ['reviewBy'],
    error: 'Choose a date after the one on which it was so',
  }),
  z.refine(({ asAt, endsOn }) => endsOn === null || endsOn >= asAt, {
    path: ['endsOn'],
    error: 'This is before the date on which it was so',
  }),
)
export type FactFields = z.output<typeof FactFields>

export const FactChange = z.strictObject({
  name: NewFactName,
  fact: FactFields,
  /** The `revision` of the fact that the caller has seen; null for a new one. */
  revision: z.nullable(z.int()),
})
export type FactChange = z.output<typeof FactChange>

/** Past its end, past its review, or neither. */
export const factStates = ['ended', 'overdue', 'current'] as const

const Proposal = z.object({
  id: z.string(),
  fact: z.object(fields),
  askedBy: z.string(),
  askedAt: z.string(),
  /** Whether the reader has made it: then somebody else must approve it. */
  isOwn: z.boolean(),
})
export type Proposal = z.output<typeof Proposal>

const ListedFact = z.object({
  name: z.string(),
  fact: z.object(fields),
  revision: z.number(),
  state: z.enum(factStates),
  checkedBy: z.string(),
  checkedAt: z.string(),
  /** The documents on which visitors see it. */
  usedBy: z.array(z.object({ id: z.string(), title: z.string() })),
  /** A change that waits for a second person. */
  proposal: z.nullable(Proposal),
})
export type ListedFact = z.output<typeof ListedFact>

/** Names the proposal that somebody has seen, so that nobody decides about another one. */
const FactDecision = z.strictObject({ name: FactName, proposal: ById.shape.id })
export type FactDecision = z.output<typeof FactDecision>

export const facts = {
  /** By name. */
  list: endpoint({
    method: 'GET',
    path: '/api/content/facts',
    access: 'content:read',
    summary: 'List the facts that documents refer to',
    input: Empty,
    reply: z.object({ facts: z.array(ListedFact) }),
  }),
  /** It shows at once; while publishing needs a second person, only a new fact does, and a change waits. */
  change: endpoint({
    ...inPerson,
    method: 'PUT',
    path: '/api/content/facts',
    summary: 'Add a fact, or what is now known of one',
    errorStatuses: [409],
    input: FactChange,
    reply: z.object({ fact: ListedFact }),
  }),
  approve: endpoint({
    ...inPerson,
    method: 'POST',
    path: '/api/content/facts/approve',
    summary: 'Approve the change of a fact that somebody else wants',
    errorStatuses: [409],
    input: FactDecision,
    reply: z.object({ fact: ListedFact }),
  }),
  discard: endpoint({
    ...inPerson,
    method: 'POST',
    path: '/api/content/facts/discard',
    summary: 'Discard the change of a fact that waits for approval',
    errorStatuses: [409],
    input: FactDecision,
    reply: z.object({ fact: ListedFact }),
  }),
}
