import { minutes } from '../../clock.ts'
import { refuse } from '../../http/problem.ts'
import { type Door, serve } from '../../http/serve.ts'
import { acceptEnquiry, repeatByKey } from './accept.server.ts'
import { enquiries, formTypes } from './contract.ts'
import { STORED_PER_ADDRESS } from './quota.server.ts'

export const REFUSED_PER_ADDRESS = { name: 'refused enquiries', count: 60, per: minutes(1) }

/** The three enquiry calls: the same but for the form they come from. */
export function serveEnquiries(door: Door): void {
  const { services } = door
  for (const formType of formTypes) {
    serve(
      door,
      enquiries[formType],
      async (enquiry, call) => {
        const key = readIdempotencyKey(call.header('idempotency-key'))
        const repeat = key ? repeatByKey(formType, key) : null
        return await acceptEnquiry(services, formType, enquiry, { ...call, repeat })
      },
      {
        refusals: REFUSED_PER_ADDRESS,
        // A repeat takes nothing from the quota, so a request with a key is looked up before it is refused.
        quota: call => {
          if (!call.header('idempotency-key')) services.limits.check(STORED_PER_ADDRESS, call.address)
        },
      },
    )
  }
}

function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  if (/^[\x21-\x7e]{8,200}$/.test(header)) return header
  return refuse(400, 'An Idempotency-Key has 8 to 200 visible ASCII characters')
}
