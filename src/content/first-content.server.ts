import type { Clock } from '../clock.ts'
import type { ContentKind } from '../database/content-tables.ts'
import type { Database } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { currentSchema } from './bodies.ts'
import {
  type Author,
  insertDocument,
  insertPublication,
  insertVersion,
  lockContent,
  SITE_PATH,
  setDraftBase,
} from './documents.server.ts'
import { addFacts } from './facts.server.ts'
import { firstSite } from './first-site.server.ts'
import type { Content } from './schema.ts'

/** A document that a new installation has. */
export interface FirstDocument {
  readonly kind: ContentKind
  readonly path: string
  readonly title: string
  readonly body: unknown
}

const author: Author = { id: null, name: 'Landfall' }

/** In ISO 8601. Before any time that a clock may be set to: without a live site the product does not start. */
const FROM_THE_BEGINNING = new Date(0).toISOString()

/**
 * Writes the first version of the site, and of further documents, unless there is one. Safe on several nodes that start
 * at once, and after a crash: it is one transaction.
 */
export async function createFirstContent(
  db: Database,
  clock: Clock,
  content: Content,
  documents: readonly FirstDocument[] = [],
): Promise<void> {
  if (await hasSite(db)) return
  const { site, facts } = firstSite(content)
  const title = content.company.siteName
  await inTransaction(db, async transaction => {
    await lockContent(transaction)
    if (await hasSite(transaction)) return
    await addFacts(transaction, clock, facts, author.name)
    await publishFirst(transaction, clock, { kind: 'site', path: SITE_PATH, title, body: site })
    for (const document of documents) await publishFirst(transaction, clock, document)
  })
}

async function hasSite(db: Database): Promise<boolean> {
  const query = db.selectFrom('content_documents').select('id').where('path', '=', SITE_PATH)
  return (await query.executeTakeFirst()) !== undefined
}

async function publishFirst(transaction: Database, clock: Clock, document: FirstDocument) {
  const { kind, path } = document
  const stored = { body: JSON.stringify(document.body), schema: currentSchema(kind) }
  const documentId = await insertDocument(transaction, clock, { ...document, ...stored }, author)
  const version = { documentId, path, ...stored, note: 'First version', findings: '[]' }
  const { id } = await insertVersion(transaction, clock, version, author)
  await insertPublication(transaction, clock, documentId, id, FROM_THE_BEGINNING, author)
  await setDraftBase(transaction, documentId, id, 1)
}
