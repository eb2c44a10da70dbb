import { findFactNames } from '../../../content/bodies.ts'
import { claimsOf, findClaims } from '../../../content/claims/find-claims.ts'
import { type ClaimContext, claimKey, type Finding } from '../../../content/claims/finding.ts'
import { describeValue, type Fact } from '../../../content/facts.ts'
import { addFacts, toFact } from '../../../content/store.server.ts'
import type { Database } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { takeTurns } from '../../../platform/turns.ts'
import type { Services } from '../../../services.ts'
import { listUndoableBodies } from '../archive.server.ts'
import { contextOf } from '../claims/check-claims.server.ts'
import { changeChecked, changeContent, type EditorCall, toAuthor } from '../publishing/publish.server.ts'
import { needsReview } from '../reviews/needs-review.server.ts'
import { type FactChange, type FactDecision, MAX_FACT_ROWS, MAX_FACTS } from './contract.ts'
import { listFactsFor, readFact } from './list-facts.server.ts'
import {
  countFactNames,
  countFactRows,
  deleteProposal,
  insertProposal,
  listFactRows,
  listProposals,
  listScheduledBodies,
} from './store.server.ts'

const CLAIM = 'This is a claim and no fact. Write it on a page, where an admin can give a reason for it.'

type Needed = Pick<Services, 'db' | 'clock' | 'content' | 'settings'>

/**
 * Adds a fact, or a row with what is now known of one: the rows before it prove what was shown. A change shows at once on
 * live pages, so it waits for a second person while publishing needs one. @throws {HttpError} 409 `fact_changed` with `fact`
 */
export async function changeFact(services: Needed, change: FactChange, call: EditorCall) {
  const { name } = change
  const fact = { name, ...change.fact }
  const check = () => assertNoClaim(services, fact)
  await changeChecked(services, check, async transaction => {
    const [current] = await listFactRows(transaction, name)
    if ((current?.id ?? null) !== change.revision) await throwFactChanged(services, transaction, name, call)
    await assertRoom(transaction, name, current !== undefined)
    await deleteProposal(transaction, name)
    const mustWait = current && (await needsReview(services.settings, transaction))
    if (mustWait) await insertProposal(transaction, services.clock, current.id, fact, toAuthor(call))
    const row = mustWait ? current.id : await addFacts(transaction, services.clock, [fact], call.user.name)
    await logFact(transaction, call, mustWait ? 'Fact review requested' : 'Fact changed', name, row)
  })
  return await readFact(services, call.user.id, name)
}

/**
 * A fact shows at once and keeps no reason, so it may say nothing that needs one of an admin: neither by itself nor in a
 * sentence of a page. @throws {HttpError} 400
 */
async function assertNoClaim(services: Needed, fact: Fact) {
  const context = contextOf({ content: services.content.read(), now: services.clock() })
  const value = describeValue(fact)
  // Words in a sentence about a visa may be a claim there, whatever is beside them here.
  const said = /\d/.test(value) ? value : `Your visa: ${value}`
  const texts = { value: said, 'source.label': fact.source.label }
  for (const [field, text] of Object.entries(texts))
    if (findClaims({ text }, context).some(({ level }) => level === 'stop'))
      throwHttpError(400, CLAIM, { errors: { [`fact.${field}`]: CLAIM } })
  const claim = await findNewClaim(services, fact, context)
  if (!claim) return
  const error = `A page would say “${claim}”. That is a claim: write it there, where an admin can give a reason for it.`
  throwHttpError(400, error, { errors: { 'fact.value': error } })
}

/** A claim that a page which is live or may become so by itself would make with this fact, and not with its present value. */
async function findNewClaim({ db, clock, content }: Needed, fact: Fact, context: ClaimContext) {
  const present = context.facts.get(fact.name)
  const isOther = !present || describeValue(present) !== describeValue(fact)
  const after = { ...context, facts: new Map(context.facts).set(fact.name, fact) }
  const { site, documents } = content.read()
  const live = [site, ...[...documents.values()].map(document => document.content.body)]
  const pause = await takeTurns()
  const coming = [
    ...(await listScheduledBodies(db, clock(), fact.name)),
    ...(await listUndoableBodies(db, clock(), fact.name)),
  ]
  for (const body of [...live, ...coming]) {
    await pause()
    if (!findFactNames(body).some(([, name]) => name === fact.name)) continue
    const known = new Set((await readStops(body, context, pause)).map(claimKey))
    // A reason that an admin gave was for the value that stood in the sentence.
    const isNew = (finding: Finding) =>
      !known.has(claimKey(finding)) || (isOther && finding.sentence.includes(`[${fact.name}]`))
    const found = (await readStops(body, after, pause)).find(isNew)
    if (found) return found.sentence.replaceAll(`[${fact.name}]`, describeValue(fact))
  }
  return null
}

async function readStops(body: unknown, context: ClaimContext, pause: () => Promise<void>) {
  const findings: Finding[] = []
  for (const found of claimsOf(body, context)) {
    findings.push(...found.filter(({ level }) => level === 'stop'))
    await pause()
  }
  return findings
}

/** @throws {HttpError} 409 */
async function assertRoom(transaction: Database, name: string, isKnown: boolean) {
  if (!isKnown && (await countFactNames(transaction)) >= MAX_FACTS)
    throwHttpError(409, `There are ${MAX_FACTS} facts already`)
  if ((await countFactRows(transaction, name)) >= MAX_FACT_ROWS)
    throwHttpError(409, `This fact was changed ${MAX_FACT_ROWS} times. Add one with another name.`)
}

/** Makes a change live that somebody else wants. @throws {HttpError} 403, 409 */
export async function approveFact(services: Needed, decision: FactDecision, call: EditorCall) {
  const { name } = decision
  // Pages may say something else around it than when it was asked for.
  async function check() {
    for (const asked of await listProposals(services.db, name)) await assertNoClaim(services, toFact(asked))
  }
  await changeChecked(services, check, async transaction => {
    const proposal = await findProposal(services, transaction, decision, call)
    if (proposal.asked_by_id === call.user.id)
      throwHttpError(403, 'Somebody else must approve this', { code: 'own_review' })
    await deleteProposal(transaction, name)
    const row = await addFacts(transaction, services.clock, [toFact(proposal)], proposal.asked_by)
    await logFact(transaction, call, 'Fact changed', name, row, { askedBy: proposal.asked_by_id })
  })
  return await readFact(services, call.user.id, name)
}

/** Withdraws a change, or declines one of somebody else. @throws {HttpError} 409 */
export async function discardFact(services: Needed, decision: FactDecision, call: EditorCall) {
  const { name } = decision
  await changeContent(services, async transaction => {
    const proposal = await findProposal(services, transaction, decision, call)
    await deleteProposal(transaction, name)
    const askedBy = proposal.asked_by_id
    await logFact(transaction, call, 'Fact review discarded', name, proposal.fact_id, { askedBy })
  })
  return await readFact(services, call.user.id, name)
}

/** The proposal that the caller has seen, of the fact as it is. @throws {HttpError} 409 */
async function findProposal(
  services: Needed,
  transaction: Transaction,
  { name, proposal: id }: FactDecision,
  call: EditorCall,
) {
  const [proposal] = await listProposals(transaction, name)
  const [current] = await listFactRows(transaction, name)
  if (proposal?.id === id && proposal.fact_id === current?.id) return proposal
  return await throwFactChanged(services, transaction, name, call)
}

async function throwFactChanged(
  services: Needed,
  transaction: Transaction,
  name: string,
  { user }: EditorCall,
): Promise<never> {
  const [fact = null] = await listFactsFor({ ...services, db: transaction }, user.id, name)
  throwHttpError(409, 'Somebody else has changed this fact', { code: 'fact_changed', fields: { fact } })
}

/** @param row the number of the row that was added, or that a review is about */
async function logFact(
  transaction: Transaction,
  { log }: EditorCall,
  message: `Fact ${string}`,
  fact: string,
  row: number,
  more: { readonly askedBy?: string } = {},
) {
  await log.within(transaction, 'info', 'API', message, { fact, row, ...more })
}
