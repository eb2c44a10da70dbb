import { type ApiRouter, serve } from '../../http/api-router.ts'
import { keyFromHeader } from '../../http/idempotency.ts'
import { minutes } from '../../platform/clock.ts'
import { acceptEnquiry, contentOf, STORED_PER_ADDRESS } from './accept-enquiry.server.ts'
import { enquiries, formTypes } from './contract.ts'

export const REFUSED_PER_ADDRESS = { name: 'refused enquiries', count: 60, per: minutes(1) }

/** The three enquiry calls, which differ only in the form they come from. */
export function serveEnquiries(router: ApiRouter): void {
  const { services } = router
  for (const formType of formTypes) {
    serve(
      router,
      enquiries[formType],
      async (enquiry, call) => {
        const key = call.header('idempotency-key')
        const idempotencyKey = keyFromHeader(formType, key, contentOf(enquiry))
        return await acceptEnquiry(services, formType, enquiry, { ...call, idempotencyKey })
      },
      {
        refusals: REFUSED_PER_ADDRESS,
        // A repeat takes nothing from the quota, so a request with a key is looked up before it is rejected.
        quota: call => {
          if (!call.header('idempotency-key')) services.rateLimiter.check(STORED_PER_ADDRESS, call.address)
        },
      },
    )
  }
}
