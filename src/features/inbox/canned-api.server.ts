import { type ApiRouter, serve } from '../../http/api-router.ts'
import { signatureLines } from '../../mail/email.ts'
import {
  addCannedReply,
  changeCannedReply,
  countUse,
  deleteCannedReply,
  listCannedReplies,
} from './canned.server.ts'
import { cannedReplies } from './canned-contract.ts'

export function serveCannedReplies(router: ApiRouter): void {
  const { db, clock, content, settings, emailSignature } = router.services

  serve(router, cannedReplies.list, async () => {
    const { site_name: agency } = await settings.publicValues()
    const { name: agent } = content.read().content.agent
    const signature = signatureLines(emailSignature(agency))
    return { cannedReplies: await listCannedReplies(db), agent, agency, signature }
  })

  serve(router, cannedReplies.add, async (text, { log }) => {
    const cannedReply = await addCannedReply(db, clock, text)
    log('info', 'API', 'Canned reply added', { cannedReplyId: cannedReply.id })
    return { cannedReply }
  })

  serve(router, cannedReplies.change, async (change, { log }) => {
    const cannedReply = await changeCannedReply(db, clock, change)
    log('info', 'API', 'Canned reply changed', { cannedReplyId: cannedReply.id })
    return { cannedReply }
  })

  serve(router, cannedReplies.delete, async ({ id }, { log }) => {
    await deleteCannedReply(db, id)
    log('info', 'API', 'Canned reply deleted', { cannedReplyId: id })
    return {}
  })

  serve(router, cannedReplies.use, async ({ id }) => {
    await countUse(db, id)
    return {}
  })
}
