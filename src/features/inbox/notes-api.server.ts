import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { conversation } from './conversation-contract.ts'
import { deleteDraft } from './drafts.server.ts'
import { lockForWork, recordActivity } from './entries.server.ts'
import { insertNote } from './notes.server.ts'

/** Serves the call that adds a note, apart from everything that sends email. */
export function serveNotes(router: ApiRouter): void {
  const { db, clock } = router.services

  serve(router, conversation.addNote, async ({ id, body }, { user }) => {
    const note = await inTransaction(db, async transaction => {
      await lockForWork(transaction, id)
      await recordActivity(transaction, clock, id)
      await deleteDraft(transaction, { messageId: id, userId: user.id }, 'note')
      return await insertNote(transaction, clock, id, user, body)
    })
    return { note }
  })
}
