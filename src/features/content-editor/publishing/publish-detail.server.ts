import { type Body, currentSchema, readBody } from '../../../content/bodies.ts'
import { insertVersion } from '../../../content/documents.server.ts'
import { findOpenReview, insertReview } from '../../../content/reviews.server.ts'
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

/** A value of the site that the settings show and change, too. */
export interface Detail {
  readonly field: 'siteName' | 'phone'
  readonly value: string
}

type Needed = Pick<Services, 'db' | 'clock' | 'content' | 'settings' | 'rateLimiter'>

/** No draft has it: what goes live is then not what the draft is. */
const NO_REVISION = 0

/**
 * Publishes what is live with another name or phone, and sets the same in the draft, whose other changes stay unpublished.
 * While publishing needs a second person, it asks for a review instead.
 * @param before is called in the transaction and throws to reject the change
 * @throws {HttpError} 400 with `errors` by path of the site, 409 while another change of the site waits, 422, 429
 */
export async function publishDetail(
  { db, clock, content, settings, rateLimiter }: Needed,
  detail: Detail,
  call: EditorCall,
  before: (transaction: Transaction) => Promise<void>,
): Promise<'published' | 'requested'> {
  await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
  const { siteId: id } = content.read()
  const prepare = async () => {
    const now = clock()
    const live = await readLiveSite(db, now, id)
    for (const stored of [live, changeDetail(live, detail)]) {
      const typed = { kind: 'site' as const, body: readBody('site', stored) }
      await prepareClaims({ typed, text: stored.body }, { content: content.read(), now })
    }
  }
  return await changeChecked({ db, content }, prepare, async transaction => {
    await before(transaction)
    const now = clock()
    const document = (await findDocument(transaction, now, id)) ?? throwNotFound()
    if (document.state === 'scheduled') throwWaiting('A change of the site is scheduled')
    if (await findOpenReview(transaction, id)) throwWaiting('A change of the site waits for approval')
    const stored = changeDetail(await readLiveSite(transaction, now, id), detail)
    const { path, findings } = await check(transaction, document, stored, {
      ...{ overrides: [], user: call.user, now, content: content.read() },
    })
    const author = toAuthor(call)
    const changed = await changeDraft(transaction, clock, id, detail, author)
    const revision = document.state === 'live' ? changed : NO_REVISION
    const version = { documentId: id, path, note: NOTE, findings: JSON.stringify(findings) }
    const added = await insertVersion(
      transaction,
      clock,
      { ...version, ...stored, editors: [author.id] },
      author,
    )
    if (await needsReview(settings, transaction)) {
      const asked = { documentId: id, versionId: added.id, revision, note: NOTE, liveFrom: null }
      await insertReview(transaction, clock, asked, author)
      const change = { document: id, path, version: added.number }
      await logContent(transaction, call, 'Content review requested', change)
      return 'requested'
    }
    const { liveFrom, seen } = await readSchedule({ clock, content }, transaction, id, null)
    await goLive(transaction, seen, { ...added, document, path, revision }, liveFrom, call)
    return 'published'
  })
}

const NOTE = 'Changed in the settings'

async function readLiveSite(db: Database, now: Date, id: string) {
  return (await findLivePublication(db, now, id)) ?? throwNotFound()
}

function changeDetail(stored: Parameters<typeof readBody>[1], detail: Detail) {
  return { body: JSON.stringify(withDetail(readBody('site', stored), detail)), schema: currentSchema('site') }
}

function withDetail(site: Body, { field, value }: Detail): Body {
  return { ...site, company: { ...Object(site.company), [field]: value } }
}

/** @returns its new revision */
async function changeDraft(
  transaction: Transaction,
  clock: Services['clock'],
  id: string,
  detail: Detail,
  author: ReturnType<typeof toAuthor>,
): Promise<number> {
  const draft = (await lockDraft(transaction, id)) ?? throwNotFound()
  const text = toNewText('site', withDetail(readBody('site', draft), detail))
  await updateDraft(transaction, clock, id, draft.revision, text, author)
  return draft.revision + 1
}

function throwWaiting(what: string): never {
  throwHttpError(409, `${what}. Decide about it under Content first, or change it there.`)
}
