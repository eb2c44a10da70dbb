import { type Body, findShapeErrors, isTooLong, readBody } from '../../../content/bodies.ts'
import type { Author } from '../../../content/documents.server.ts'
import type { ContentDraftRow, ContentKind } from '../../../database/content-tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { nextTurn } from '../../../platform/turns.ts'
import type { Services } from '../../../services.ts'
import type { Draft } from '../contract.ts'
import { findDraft, findKind, toNewText, updateDraft } from '../store.server.ts'

const NO_SUCH_DOCUMENT = 'There is no such document'

/**
 * Replaces a draft, which may be invalid but must have the shape of its kind. Nothing is overwritten that the caller has
 * not seen. @returns the new revision @throws {HttpError} 400, 404, 409 `draft_changed` with the stored draft
 */
export async function saveDraft(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, body, revision }: { id: string; body: Body; revision: number },
  author: Author,
): Promise<number> {
  const kind = (await findKind(db, id)) ?? throwNotFound()
  if (isTooLong(body)) throwHttpError(413, 'This is too long for one document')
  const errors = findShapeErrors(kind, body)
  if (Object.keys(errors).length > 0)
    throwHttpError(400, 'This is not the shape of such a document', { errors })
  // A mebibyte takes some ten milliseconds to check, to write as JSON and to store: others are served in between.
  await nextTurn()
  const text = toNewText(kind, body)
  await nextTurn()
  const isSaved = await inTransaction(
    db,
    async transaction => await updateDraft(transaction, clock, id, revision, text, author),
  )
  if (isSaved) return revision + 1
  return throwDraftChanged(kind, (await findDraft(db, id)) ?? throwNotFound())
}

/** @throws {HttpError} 409 with the draft that is stored now, so that the caller can merge */
export function throwDraftChanged(kind: ContentKind, draft: ContentDraftRow): never {
  throwHttpError(409, 'Somebody else has changed this draft', {
    code: 'draft_changed',
    fields: { draft: toDraft(kind, draft) },
  })
}

export function throwNotFound(): never {
  throwHttpError(404, NO_SUCH_DOCUMENT)
}

export function toDraft(kind: ContentKind, draft: ContentDraftRow): Draft {
  const { revision, edited_by: editedBy, edited_at: editedAt } = draft
  return { body: readBody(kind, draft), revision, editedBy, editedAt }
}
