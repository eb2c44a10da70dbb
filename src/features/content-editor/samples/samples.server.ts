import type { Role } from '../../../auth/permissions.ts'
import { type Body, currentSchema, parseStored, readBody } from '../../../content/bodies.ts'
import { mayOverride, type RecordedOverride, readOverrides } from '../../../content/claims/finding.ts'
import { editedField, findSamplesIn, type PlacedSample } from '../../../content/claims/sample-parts.server.ts'
import { isSample, itemOf } from '../../../content/claims/samples.ts'
import { isNobody, namesOtherAgent } from '../../../content/claims/structure-rules.ts'
import {
  fromStablePath,
  idOf,
  isEqual,
  isItems,
  isObject,
  toStablePath,
  valueAt,
  withValue,
} from '../../../content/json.ts'
import type { ContentKind } from '../../../database/content-tables.ts'
import type { Database } from '../../../database/tables.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { HttpError, throwHttpError } from '../../../http/http-error.ts'
import { isoAfter } from '../../../platform/clock.ts'
import { samplePages } from '../../../sample/pages.server.ts'
import { sampleContent } from '../../../sample/site.server.ts'
import type { Services } from '../../../services.ts'
import { throwNotFound } from '../editor/save-draft.server.ts'
import { describeField } from '../forms/forms.ts'
import { findLiveBefore, findLivePublication, findVersion } from '../history/history.server.ts'
import type { EditorCall } from '../publishing/publish.server.ts'
import { publishChange, reasonOf } from '../publishing/publish-change.server.ts'
import { findKind } from '../store.server.ts'
import { samples as calls, type Refused, type Removal, type Sample } from './contract.ts'

export function serveSamples(router: ApiRouter): void {
  const { services } = router

  serve(router, calls.list, async (_, { user }) => {
    const documents = await readDocuments(services)
    const { hidesSamples: isHidden, site } = services.content.read()
    return {
      ...(await countOthers(services, documents)),
      samples: documents.flatMap(document =>
        document.samples.map(sample => ({
          ...describe(document, sample),
          ...{ isHidden, group: groupOf(sample, site.agent.name ?? '') },
          mayConfirm: mayConfirm(claimsIn(document, sample), user.role),
        })),
      ),
    }
  })

  serve(router, calls.confirm, async ({ id, path, reason }, call) => {
    const document = (await readDocuments(services)).find(each => each.id === id) ?? throwNotFound()
    const sample = document.samples.find(each => each.path === path) ?? throwNotFound()
    const claims = claimsIn(document, sample)
    if (claims.length === 0) throwHttpError(409, 'Edit it to make it yours.')
    if (!mayConfirm(claims, call.user.role)) throwHttpError(403, 'An admin has to confirm this.')
    const by = { reason, author: call.user.name, at: isoAfter(services.clock) }
    const recorded = claims.map(claim => ({ ...claim, ...by }))
    const change = { id, note: CONFIRMED, apply: (body: Body) => body, recorded }
    const { state } = await publishChange(services, change, call)
    return { isRequested: state === 'requested' }
  })

  serve(router, calls.remove, async ({ samples: chosen }, call) => {
    const isChosen = (id: string, path: string) =>
      chosen === undefined || chosen.some(each => each.id === id && each.path === path)
    const removals: Removal[] = []
    const requested: string[] = []
    const refused: Refused[] = []
    let removed = 0
    for (const { id, title, body, samples } of await readDocuments(services)) {
      if (!samples.some(({ path }) => isChosen(id, path))) continue
      await collectRefusal(refused, title, async () => {
        const own = withAgent(samples, ({ path }) => isChosen(id, path), body)
        if (own.length === 0) throwHttpError(409, AGENT_NEEDED)
        const apply = (body: Body) => own.reduce(take, body)
        const { number, state } = await publishChange(services, { id, note: REMOVED, apply }, call)
        removed += own.length
        if (state === 'requested') requested.push(title)
        else removals.push({ id, number })
      })
    }
    return { removed, removals, requested, refused }
  })

  serve(router, calls.undo, async ({ removals }, call) => {
    const requested: string[] = []
    const refused: Refused[] = []
    for (const removal of removals) {
      const title = titleOf(services, removal.id)
      await collectRefusal(refused, title, async () => {
        const state = await putBackOne(services, removal, call)
        if (state === 'requested') requested.push(title)
      })
    }
    return { requested, refused }
  })
}

/** Of what came with the installation: what is no sample any more, because it is another or was confirmed as it is. */
async function countOthers({ db, content }: Services, documents: readonly ReadDocument[]) {
  const { siteId } = content.read()
  const left = documents.flatMap(({ samples }) => samples)
  const body = documents.find(({ id }) => id === siteId)?.body ?? {}
  const first = await findVersion(db, siteId, 1)
  const came = first ? findSamplesIn(parseStored('site', first), first.findings) : []
  const confirmed = came.filter(
    ({ path, value }) =>
      /^(claims|testimonials)\./.test(path) &&
      left.every(sample => sample.path !== path) &&
      isEqual(stableValue(body, path), value),
  ).length
  return { confirmed, edited: Math.max(0, came.length + countSamplesOfPages() - left.length - confirmed) }
}

let ofPages: number | undefined

/** Of the pages of a new installation, counted when somebody first asks. */
function countSamplesOfPages(): number {
  ofPages ??= samplePages.documents(sampleContent.site).flatMap(({ kind, body }) => {
    const stored = { body: JSON.stringify(body), schema: currentSchema(kind) }
    return findSamplesIn(parseStored(kind, stored), '[]')
  }).length
  return ofPages
}

const CONFIRMED = 'Sample confirmed'
const REMOVED = 'Samples removed'
const PUT_BACK = 'Removed samples put back'

const AGENT_NEEDED = 'What you wrote about the agent needs a name and a number. Enter yours.'

/**
 * What is chosen. Without its name or number nothing else of the sample agent can stay; and both stay while somebody's own words
 * are about the agent.
 */
function withAgent(
  samples: readonly PlacedSample[],
  isChosen: (sample: PlacedSample) => boolean,
  body: Body,
): readonly PlacedSample[] {
  const isNamed = ({ path }: PlacedSample) => path === 'agent.name' || path === 'agent.registrationNumber'
  const chosen = samples.filter(isChosen)
  if (!chosen.some(isNamed)) return chosen
  const isOfAgent = ({ path }: PlacedSample) => path.startsWith('agent.')
  const { agent } = samples.filter(isOfAgent).reduce(take, body)
  if (!isNobody(agent)) return chosen.filter(sample => !isNamed(sample))
  return samples.filter(sample => isChosen(sample) || isOfAgent(sample))
}

/** Notes that a document is as it was, and why: the others are changed all the same. */
async function collectRefusal(
  refused: Refused[],
  title: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    refused.push({ title, message: reasonOf(error) })
  }
}

/**
 * Puts back what a removal took, for the person who made it, while it is what visitors see: then they see what they saw
 * before. Nothing else of the past comes back that way, nor a reason that somebody has withdrawn.
 * @throws {HttpError} 404 for a version that there never was, and as `publishChange` does
 */
async function putBackOne(services: Services, { id, number }: Removal, call: EditorCall) {
  const { db, clock } = services
  const kind = (await findKind(db, id)) ?? throwNotFound()
  const removed = (await findVersion(db, id, number)) ?? throwNotFound()
  const assertUndoable = async (from: Database) => {
    const live = await findLivePublication(from, clock(), id)
    const isOwn = removed.note === REMOVED && removed.author_id === call.user.id
    if (!isOwn || live?.number !== number) throwHttpError(409, 'Something else was published since.')
  }
  await assertUndoable(db)
  const base = (await findLiveBefore(db, id, removed.id)) ?? throwNotFound()
  const [was, is] = [readBody(kind, base), readBody(kind, removed)]
  const samples = findSamplesIn(parseStored(kind, base), base.findings).filter(
    ({ path, value }) => !isEqual(stableValue(is, path), value),
  )
  const isBack = (field: string) => {
    const path = toStablePath(was, field)
    return samples.some(sample => path === sample.path || path.startsWith(`${sample.path}.`))
  }
  const { state } = await publishChange(
    services,
    {
      ...{ id, note: PUT_BACK, before: assertUndoable },
      apply: body => samples.reduce(putBack, body),
      recorded: readOverrides(base.findings).filter(({ path }) => isBack(path)),
    },
    call,
  )
  return state
}

/** The documents whose live version has samples, the site first, then by title. */
async function readDocuments({ db, clock, content }: Services) {
  const live = content.read()
  const ids = [live.siteId, ...new Set([...live.fees.map(fee => fee.documentId), ...live.bylines])]
  const documents = []
  for (const id of ids) {
    const stored = await findLivePublication(db, clock(), id)
    const kind = await findKind(db, id)
    if (!stored || !kind) continue
    const title = titleOf({ content }, id)
    const samples = findSamplesIn(parseStored(kind, stored), stored.findings)
    const body = readBody(kind, stored)
    documents.push({ id, kind, title, body, samples, overrides: readOverrides(stored.findings) })
  }
  const [site, ...pages] = documents
  return site ? [site, ...pages.toSorted((one, other) => one.title.localeCompare(other.title, 'en'))] : []
}

function titleOf({ content }: Pick<Services, 'content'>, id: string): string {
  const { siteId, site, documents } = content.read()
  if (id === siteId) return site.company.siteName
  return [...documents.values()].find(each => each.documentId === id)?.content.body.title ?? ''
}

interface ReadDocument {
  readonly id: string
  readonly kind: ContentKind
  readonly title: string
  readonly body: Body
  readonly samples: readonly PlacedSample[]
  readonly overrides: readonly RecordedOverride[]
}

function describe({ id, kind, title, body }: ReadDocument, { path, value }: PlacedSample) {
  const field = fromStablePath(body, path) ?? path
  const text = wordsOf(value).join(' · ')
  const label = describeField(kind, body, field)
  return { document: { id, title }, path, field: editedField(field, value), label, text }
}

/**
 * The claims in a sample that nobody has confirmed. Empty for what is no claim, such as an address, and for a testimonial: the
 * people of the sample are nobody's clients.
 */
function claimsIn({ body, overrides }: ReadDocument, { path }: PlacedSample): readonly RecordedOverride[] {
  if (!path.startsWith('claims.')) return []
  const field = fromStablePath(body, path)
  return overrides.filter(each => isSample(each) && itemOf(each.path) === field)
}

function mayConfirm(claims: readonly RecordedOverride[], role: Role): boolean {
  return claims.length > 0 && claims.every(({ level }) => mayOverride(level, role))
}

/** @param agent the name of the agency's own, empty without one */
function groupOf({ path, value }: PlacedSample, agent: string): Sample['group'] {
  if (wordsOf(value).some(text => namesOtherAgent(text, agent))) return 'agent'
  return /^(?:claims|testimonials|blocks)\./.test(path) ? 'claims' : 'words'
}

/** The texts and numbers of a value, without its ids and kinds. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(wordsOf)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inside]) => (NO_WORDS.has(key) ? [] : wordsOf(inside)))
}

const NO_WORDS: ReadonlySet<string> = new Set(['id', 'kind', 'type', 'avatarUrl', 'columns', 'fact'])

function stableValue(body: Body, stable: string): unknown {
  const path = fromStablePath(body, stable)
  return path === null ? undefined : valueAt(body, path)
}

/** A body without a sample, unless something else stands in its place. */
function take(body: Body, { path: stable, value, empty }: PlacedSample): Body {
  const path = fromStablePath(body, stable)
  return path !== null && isEqual(valueAt(body, path), value) ? withValue(body, path, empty) : body
}

/** A body with the sample again, unless something else stands in its place. */
function putBack(body: Body, { path, value, empty, at }: PlacedSample): Body {
  const current = stableValue(body, path)
  if (empty !== undefined) return isEqual(current, empty) ? withValue(body, path, value) : body
  const listPath = path.slice(0, path.lastIndexOf('.'))
  const list = fromStablePath(body, listPath)
  const items = list === null ? null : valueAt(body, list)
  if (current !== undefined || list === null || !isItems(items) || idOf(value) === null) return body
  return withValue(body, list, items.toSpliced(at, 0, Object(value)))
}
