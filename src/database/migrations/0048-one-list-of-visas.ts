import { sql } from 'kysely'
import { type EarlierDatabase, withoutTimeout } from './define.ts'

/**
 * The site described each visa a second time, for the home page. What has a page is now named by the list of the site and
 * described by its page alone; the words of its card go to the page, also of drafts and of versions that may be restored.
 */
export async function listVisasOnce(db: EarlierDatabase): Promise<void> {
  await withoutTimeout(db)
  const pages = await listLivePages(db)
  for (const site of await listSites(db)) {
    const places = matchPages(site.visas, pages)
    await rewrite(db, site.id, 1, body => toOneList(body, places))
    for (const { id } of pages) {
      const visa = site.visas.find(each => places.get(each.id)?.id === id)
      if (visa) await rewrite(db, id, 0, body => withCard(body, visa))
    }
  }
}

type Visa = Awaited<ReturnType<typeof listSites>>[number]['visas'][number]
type VisaPage = Awaited<ReturnType<typeof listLivePages>>[number]

type Json = Readonly<Record<string, unknown>>

const toJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const toList = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(toJson) : [])
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

const subclassesOf = (visa: Json) =>
  JSON.stringify(toList(visa.subclasses).map(({ name, numbers }) => [name, numbers]))

/** The bodies that visitors see now, each with its document. */
async function listLive(db: EarlierDatabase, kind: string) {
  const now = new Date().toISOString()
  const { rows } = await sql<{ id: string; path: string; body: string }>`
    select document.id, version.path, version.body from content_documents as document
    join content_versions as version on version.id = (
      select version_id from content_publications
      where document_id = document.id and cancelled_at is null and live_from <= ${now}
      order by live_from desc, id desc limit 1)
    where document.kind = ${kind} and document.archived_at is null order by document.id`.execute(db)
  return rows.map(({ id, path, body }) => ({ id, path, body: toJson(JSON.parse(body)) }))
}

async function listLivePages(db: EarlierDatabase) {
  return (await listLive(db, 'visa')).map(({ id, path, body }) => ({
    id,
    path,
    subclasses: subclassesOf(body),
  }))
}

async function listSites(db: EarlierDatabase) {
  return (await listLive(db, 'site')).map(({ id, body }) => ({
    id,
    visas: toList(body.visaCategories).map(visa => ({
      id: toText(visa.id),
      title: toText(visa.title),
      description: toText(visa.description),
      /** The same text for the same subclasses. */
      subclasses: subclassesOf(visa),
    })),
  }))
}

/** The page of each visa by the id of its place: one of exactly its subclasses, which is the page of no other. */
function matchPages(visas: readonly Visa[], pages: readonly VisaPage[]): ReadonlyMap<string, VisaPage> {
  const left = new Map(pages.map(page => [page.id, page]))
  const places = new Map<string, VisaPage>()
  for (const { id, subclasses } of visas) {
    const page = [...left.values()].find(each => each.subclasses === subclasses)
    if (!page) continue
    places.set(id, page)
    left.delete(page.id)
  }
  return places
}

/** Of schema 2. A description that only repeated others had no card. */
function toOneList(body: Json, places: ReadonlyMap<string, VisaPage>): Json {
  const visas = toList(body.visaCategories)
  const numbersOf = (visa: Json) => [
    ...new Set(
      toList(visa.subclasses).flatMap(({ numbers }): unknown[] => (Array.isArray(numbers) ? numbers : [])),
    ),
  ]
  const alone = new Set(visas.map(numbersOf).flatMap(numbers => (numbers.length === 1 ? numbers : [])))
  const visaCategories = visas.map(visa => {
    const numbers = numbersOf(visa)
    const isOnHome = numbers.length < 2 || numbers.some(number => !alone.has(number))
    const page = places.get(toText(visa.id))
    return page
      ? { id: visa.id, kind: 'page', path: page.path, isOnHome }
      : { ...visa, kind: 'described', isOnHome }
  })
  return { ...body, visaCategories }
}

function withCard(body: Json, { title, description }: Visa): Json {
  return { cardTitle: title, cardText: description, ...body }
}

/** Every draft and version of a document. @param added to the number of their schema */
async function rewrite(db: EarlierDatabase, documentId: string, added: 0 | 1, change: (body: Json) => Json) {
  for (const table of ['content_versions', 'content_drafts']) {
    const key = table === 'content_versions' ? 'id' : 'document_id'
    const { rows } = await sql<{ key: string; body: string }>`
      select ${sql.ref(key)} as key, body from ${sql.table(table)}
      where document_id = ${documentId} and schema = 1`.execute(db)
    for (const row of rows) {
      const body = JSON.stringify(change(toJson(JSON.parse(row.body))))
      await sql`update ${sql.table(table)} set body = ${body}, schema = schema + ${added}
        where ${sql.ref(key)} = ${row.key}`.execute(db)
    }
  }
}
