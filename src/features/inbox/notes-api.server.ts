import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { addOnce } from './add-once.server.ts'
import { conversation } from './conversation-contract.ts'
import { deleteDraft } from './drafts.server.ts'
import { insertNote, readNote } from './notes.server.ts'

/** Serves the call that adds a note, apart from everything that sends email. */
export function serveNotes(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, conversation.addNote, async (input, call) => {
    const { id: message_id, body } = input
    const author_id = call.user.id
    const added = await addOnce(services, { kind: 'note', input }, call, async (transaction, id) => {
      await deleteDraft(transaction, { messageId: message_id, userId: author_id }, 'note')
      await insertNote(transaction, clock, { id, message_id, author_id, body })
    })
    const note = (await readNote(db, added.id)) ?? throwHttpError(404, 'This enquiry no longer exists')
    return { note, version: added.version }
  })
}
