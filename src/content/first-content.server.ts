import type { ContentKind } from '../database/content-tables.ts'
import { idsInOrder } from '../database/id.ts'
import { lock } from '../database/locks.ts'
import type { Database } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { DEFAULT_LANGUAGE } from '../i18n/texts.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import { type Body, currentSchema, readBody, type StoredBody } from './bodies.ts'
import { findClaims } from './claims/find-claims.ts'
import { type RecordedOverride, record } from './claims/finding.ts'
import { itemOf, SAMPLE_AUTHOR, SAMPLE_REASON, STARTER_REASON } from './claims/samples.ts'
import { SITE_PATH } from './documents.server.ts'
import type { Fact } from './facts.ts'
import { isLiveOrScheduled, isScheduled } from './live.server.ts'
import { findOpenReview } from './reviews.server.ts'
import { titleOf } from './schema.ts'
import type { SiteBody } from './site-body.ts'
import { addFacts } from './store.server.ts'

export interface FirstDocument {
  readonly kind: ContentKind
  readonly path: string
  readonly title: string
  readonly body: unknown
  /** In ISO 8601, for an article with a date. Otherwise it is live from the beginning of time: nobody wrote it at the start. */
  readonly liveFrom?: string
  /** Of a visa: the id of its place in the list of the site. */
  readonly place?: string
}

/** Version 1 of the site document, and the facts that it refers to. */
export interface FirstSite {
  readonly site: SiteBody
  readonly facts: readonly Fact[]
}

/** What a new installation shows beside the fixed pages. */
export interface Samples extends Pick<SiteBody, 'menu' | 'footerPages' | 'holidays'> {
  /** Beside those of the site. */
  readonly facts: readonly Fact[]
  /** Its links lead to the pages. */
  readonly finder: Pick<SiteBody, 'finderQuestions' | 'finderSource' | 'finderStarts'>
  /** @param site pages repeat parts of it */
  documents(site: SiteBody): readonly FirstDocument[]
}

export const noSamples: Samples = {
  ...{ facts: [], menu: [], footerPages: [], holidays: [], finder: {} },
  documents: () => [],
}

const AUTHOR = SAMPLE_AUTHOR

const UNDATED = new Date(0).toISOString()

/**
 * Writes the first version of the site unless there is one, and of the samples if the installation is new: one that is
 * upgraded shows what it showed. Safe on several nodes that start at once, and after a crash: it is one transaction.
 */
export async function createFirstContent(
  db: Database,
  clock: Clock,
  { site, facts }: FirstSite,
  samples: Samples = noSamples,
): Promise<void> {
  if (await hasSite(db)) return
  const title = site.company.siteName
  await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    if (await hasSite(transaction)) return
    // Only an installation of a version without content has users and no site.
    const added = (await hasUsers(transaction)) ? noSamples : samples
    const { menu, footerPages, holidays, finder } = added
    const body = { ...site, menu, footerPages, holidays, ...finder }
    await addFacts(transaction, clock, [...facts, ...added.facts], AUTHOR)
    const documents = added.documents(body)
    const listed = { ...body, visaCategories: listPages(body.visaCategories, documents) }
    const first: FirstDocument = { kind: 'site', path: SITE_PATH, title, body: listed }
    await insertPublished(transaction, clock, [first, ...documents])
  })
}

/** What has a page is described there alone. */
function listPages(visas: SiteBody['visaCategories'], documents: readonly FirstDocument[]) {
  const pages = new Map(documents.flatMap(({ place, path }) => (place ? [[place, path] as const] : [])))
  return visas.map(visa => {
    const { id, isOnHome } = visa
    const path = pages.get(id)
    return path ? { id, kind: 'page', path, isOnHome } : visa
  })
}

async function hasSite(db: Database): Promise<boolean> {
  const query = db.selectFrom('content_documents').select('id').where('path', '=', SITE_PATH)
  return (await query.executeTakeFirst()) !== undefined
}

/** Whether anybody has an account. The first content comes before the first admin. */
export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Four statements for all documents, because every new installation waits for them. There are no rows before these. */
async function insertPublished(transaction: Database, clock: Clock, documents: readonly FirstDocument[]) {
  const now = isoAfter(clock)
  const nextId = idsInOrder()
  const rows = documents.map((document, at) => toRows(document, () => nextId(clock()), now, at + 1))
  const of = <Table extends keyof (typeof rows)[number]>(table: Table) => rows.map(row => row[table])
  await transaction.insertInto('content_documents').values(of('document')).execute()
  await transaction.insertInto('content_versions').values(of('version')).execute()
  await transaction.insertInto('content_drafts').values(of('draft')).execute()
  await transaction.insertInto('content_publications').values(of('publication')).execute()
}

function toRows(document: FirstDocument, newId: () => string, now: string, number: number) {
  const { kind, path, title, liveFrom = UNDATED } = document
  const stored = { body: JSON.stringify(document.body), schema: currentSchema(kind) }
  const [id, versionId] = [newId(), newId()]
  const base = { revision: 1, base_version_id: versionId, base_revision: 1 }
  const edited = { edited_by_id: null, edited_by: AUTHOR, edited_at: now }
  const findings = JSON.stringify(kind === 'site' ? sampleOverrides(document.body, now) : [])
  const author = { author_id: null, author: AUTHOR, note: 'First version', findings }
  const published = { version_id: versionId, live_from: liveFrom, set_by: AUTHOR }
  return {
    document: { id, kind, path, language: DEFAULT_LANGUAGE, last_version: 1, created_at: now },
    version: { id: versionId, document_id: id, number: 1, path, ...stored, ...author, created_at: now },
    draft: { document_id: id, title, ...stored, ...base, ...edited },
    publication: { id: number, document_id: id, ...published, created_at: now },
  }
}

/** The site comes with claims of the specification, so that staff see what to prove or to replace. */
function sampleOverrides(site: unknown, at: string): readonly RecordedOverride[] {
  const context = {
    language: DEFAULT_LANGUAGE,
    today: at.slice(0, 10),
    facts: new Map(),
    subclasses: new Map(),
  }
  const findings = findClaims(site, { ...context, paths: null, people: null, host: '' }).filter(
    ({ level }) => level !== 'hint',
  )
  return findings.map(finding => {
    const reason = itemOf(finding.path) === null ? STARTER_REASON : SAMPLE_REASON
    return record(finding, reason, { author: AUTHOR, at }, new Map())
  })
}

/** The settings of earlier releases that are fields of the company now. */
const formerSettings = { site_name: 'siteName', contact_phone: 'phone' } as const

/**
 * Moves the name and the phone of the agency out of the settings, where an earlier release had them and visitors saw them, to
 * wherever the site says what it says live: there, in what is scheduled or waits for approval, and in the draft.
 */
export async function moveFormerSettings(db: Database, clock: Clock): Promise<void> {
  if ((await listFormer(db)).length === 0) return
  await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    const former = await listFormer(transaction)
    const site = transaction.selectFrom('content_documents').select('id').where('path', '=', SITE_PATH)
    const { id } = await site.executeTakeFirstOrThrow()
    const versions = await listCurrentVersions(transaction, clock().toISOString(), id)
    const draft = await transaction
      .selectFrom('content_drafts')
      .select(['document_id', 'body', 'schema', 'revision', 'base_revision'])
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow()
    const live = versions.find(({ isLive }) => isLive) ?? draft
    const move = (stored: StoredBody) => moveInto(stored, readCompany(live), former)
    for (const version of versions) {
      const query = transaction.updateTable('content_versions').set(move(version))
      await query.where('id', '=', version.id).execute()
    }
    const moved = move(draft)
    const title = titleOf(readBody('site', moved))
    await transaction
      .updateTable('content_drafts')
      // Somebody who has it open merges what has moved.
      .set({ ...moved, title, revision: draft.revision + 1 })
      .$if(draft.revision === draft.base_revision, query =>
        query.set({ base_revision: draft.base_revision + 1 }),
      )
      .where('document_id', '=', id)
      .execute()
    await transaction.deleteFrom('settings').where('key', 'in', Object.keys(formerSettings)).execute()
  })
}

async function listFormer(db: Database) {
  const query = db.selectFrom('settings').select(['key', 'value'])
  const rows = await query.where('key', 'in', Object.keys(formerSettings)).execute()
  return Object.entries(formerSettings).flatMap(([setting, field]) =>
    rows.filter(({ key }) => key === setting).map(({ value }) => ({ field, value })),
  )
}

/** What is live, scheduled or waits for approval. @param now in ISO 8601 */
async function listCurrentVersions(transaction: Database, now: string, id: string) {
  const published = await transaction
    .selectFrom('content_publications as publication')
    .innerJoin('content_versions as version', 'version.id', 'publication.version_id')
    .select(['version.id', 'version.body', 'version.schema'])
    .select(isScheduled(now).as('isScheduled'))
    .where('publication.document_id', '=', id)
    .where('publication.cancelled_at', 'is', null)
    .where(isLiveOrScheduled(now))
    .execute()
  const asked = await findOpenReview(transaction, id)
  return [
    ...published.map(({ isScheduled, ...version }) => ({ ...version, isLive: !isScheduled })),
    ...(asked ? [{ id: asked.version_id, body: asked.body, schema: asked.schema, isLive: false }] : []),
  ]
}

const readCompany = (stored: StoredBody): Body => Object(readBody('site', stored).company)

/** @param live the company that visitors see: what differs from it, somebody has changed since */
function moveInto(stored: StoredBody, live: Body, former: Awaited<ReturnType<typeof listFormer>>) {
  const company = readCompany(stored)
  const same = former.filter(({ field }) => company[field] === live[field])
  const moved = { ...company, ...Object.fromEntries(same.map(({ field, value }) => [field, value])) }
  const body = { ...readBody('site', stored), company: moved }
  return { body: JSON.stringify(body), schema: currentSchema('site') }
}
