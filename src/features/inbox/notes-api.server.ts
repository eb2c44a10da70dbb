import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { addOnce } from './add-once.server.ts'
import { conversation } from './conversation-contract.ts'
import { deleteDraft } from './drafts.server.ts'
import { recordActivity } from './entries.server.ts'
import { insertNote, readNote } from './notes.server.ts'

/** Serves the call that adds a note, apart from everything that sends email. */
export function serveNotes(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, conversation.addNote, async (input, { user, header }) => {
    const addition = {
      kind: 'note',
      input,
      userId: user.id,
      idempotencyKey: header('idempotency-key'),
    } as const
    const added = await addOnce(services, addition, async (transaction, { id }, noteId) => {
      await recordActivity(transaction, clock, id)
      await deleteDraft(transaction, { messageId: id, userId: user.id }, 'note')
      const note = { id: noteId, message_id: id, author_id: user.id, body: input.body }
      await insertNote(transaction, clock, note)
    })
    const note = (await readNote(db, added.id)) ?? throwHttpError(404, 'This message no longer exists')
    return { note, version: added.version }
  })
}
