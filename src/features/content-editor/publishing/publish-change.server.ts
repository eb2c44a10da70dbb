import { type Body, currentSchema, readBody, type StoredBody } from '../../../content/bodies.ts'
import { type RecordedOverride, readOverrides } from '../../../content/claims/finding.ts'
import { insertVersion } from '../../../content/documents.server.ts'
import { findOpenReview, insertReview } from '../../../content/reviews.server.ts'
import type { ContentKind } from '../../../database/content-tables.ts'
import type { Database } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import type { Services } from '../../../services.ts'
import { ADDITIONS_PER_USER } from '../api.server.ts'
import { prepareClaims } from '../claims/check-claims.server.ts'
import { throwNotFound } from '../editor/save-draft.server.ts'
import { findLivePublication } from '../history/history.server.ts'
import { check } from '../history/version-of-draft.server.ts'
import { needsReview } from '../reviews/needs-review.server.ts'
import { findDocument, lockDraft, logContent, toNewText, updateDraft } from '../store.server.ts'
import { changeChecked, type EditorCall, goLive, readSchedule, toAuthor } from './publish.server.ts'

/** A change of a few fields, made to what is live and to the draft alike. */
export interface ContentChange {
  readonly id: string
  /** Of the version. */
  readonly note: string
  /** Pure; it may be called several times. */
  readonly apply: (body: Body) => Body
  /** Reasons that hold for what it puts back, beside those of what is live. */
  readonly recorded?: readonly RecordedOverride[]
  /** Is called in the transaction and throws to reject the change. */
  readonly before?: (transaction: Transaction) => Promise<void>
}

type Needed = Pick<Services, 'db' | 'clock' | 'content' | 'settings' | 'rateLimiter'>

/** No draft has it: what goes live is then not what the draft is. */
const NO_REVISION = 0

/**
 * Publishes what is live with this change, and makes the same change to the draft, whose other changes stay unpublished. While
 * publishing needs a second person, it asks for a review instead.
 * @returns the number of the version @throws {HttpError} 400 with `errors` by path, 404 without anything live, 409 while another
 * change of the document waits, 422, 429
 */
export async function publishChange(
  { db, clock, content, settings, rateLimiter }: Needed,
  { id, note, apply, recorded = [], before }: ContentChange,
  call: EditorCall,
): Promise<{ readonly number: number; readonly state: 'published' | 'requested' }> {
  await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
  const prepare = async () => {
    const now = clock()
    const { kind } = (await findDocument(db, now, id)) ?? throwNotFound()
    const live = await readLive(db, now, id)
    for (const stored of [live, change(kind, live, apply)]) {
      const typed = { kind, body: readBody(kind, stored) }
      await prepareClaims({ typed, text: stored.body }, { content: content.read(), now })
    }
  }
  return await changeChecked({ db, content }, prepare, async transaction => {
    await before?.(transaction)
    const now = clock()
    const document = (await findDocument(transaction, now, id)) ?? throwNotFound()
    const { kind } = document
    if (document.state === 'scheduled') throwWaiting('A change of it is scheduled')
    if (await findOpenReview(transaction, id)) throwWaiting('A change of it waits for approval')
    const live = await readLive(transaction, now, id)
    const stored = change(kind, live, apply)
    const { path, findings } = await check(transaction, document, stored, {
      recorded: [...readOverrides(live.findings), ...recorded],
      ...{ overrides: [], user: call.user, now, content: content.read() },
    })
    const author = toAuthor(call)
    const draft = (await lockDraft(transaction, id)) ?? throwNotFound()
    const text = toNewText(kind, apply(readBody(kind, draft)))
    await updateDraft(transaction, clock, id, draft.revision, text, author)
    const revision = document.state === 'live' ? draft.revision + 1 : NO_REVISION
    const version = { documentId: id, path, note, findings: JSON.stringify(findings), editors: [author.id] }
    const added = await insertVersion(transaction, clock, { ...version, ...stored }, author)
    const { number } = added
    if (await needsReview(settings, transaction)) {
      const asked = { documentId: id, versionId: added.id, revision, note, liveFrom: null }
      await insertReview(transaction, clock, asked, author)
      await logContent(transaction, call, 'Content review requested', {
        ...{ document: id, path, version: number },
      })
      return { number, state: 'requested' }
    }
    const { liveFrom, seen } = await readSchedule({ clock, content }, transaction, id, null)
    await goLive(transaction, seen, { ...added, document, path, revision }, liveFrom, call)
    return { number, state: 'published' }
  })
}

async function readLive(db: Database, now: Date, id: string) {
  return (await findLivePublication(db, now, id)) ?? throwNotFound()
}

function change(kind: ContentKind, stored: StoredBody, apply: ContentChange['apply']): StoredBody {
  return { body: JSON.stringify(apply(readBody(kind, stored))), schema: currentSchema(kind) }
}

function throwWaiting(what: string): never {
  throwHttpError(409, `${what}. Decide about it under Content first, or make this change there.`)
}
