import { type ApiRouter, serve } from '../../http/api-router.ts'
import { approveFact, changeFact, discardFact } from './change-fact.server.ts'
import { facts } from './contract-facts.ts'
import { ADDITIONS_PER_USER } from './limits.ts'
import { listFactsFor } from './list-facts.server.ts'

/** Serves the facts that documents refer to. Call it before documents are served, whose ids would match `facts`. */
export function serveFacts(router: ApiRouter): void {
  const { services } = router

  serve(router, facts.list, async (_input, { user }) => ({ facts: await listFactsFor(services, user.id) }))

  serve(router, facts.change, async (change, call) => {
    await services.rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { fact: await changeFact(services, change, call) }
  })

  serve(router, facts.approve, async (decision, call) => {
    await services.rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { fact: await approveFact(services, decision, call) }
  })

  serve(router, facts.discard, async (decision, call) => ({
    fact: await discardFact(services, decision, call),
  }))
}
