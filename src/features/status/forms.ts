import * as z from 'zod/mini'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Asked, addition, STATUS_PATH, TRACK_PATH, VisitorCode } from './contract.ts'

/** What the forms of the two pages post. They work without a script, and a script posts the first of them. */

const posted = { method: 'POST', access: 'public', csrf: 'origin', body: 'form', reply: Empty } as const
/** The reference of the enquiry that the page is of: a cookie may be of another one that was opened since. */
const of = z._default(z.string(), '')
/** Empty where a cookie says which enquiry it is. */
const asked = { reference: z._default(z.string(), ''), email: z._default(z.string(), '') }

export const statusForms = {
  track: endpoint({ ...posted, path: TRACK_PATH, input: z.object(Asked) }),
  link: endpoint({
    ...posted,
    path: STATUS_PATH,
    input: z.object({ token: z.string().check(z.maxLength(100)) }),
  }),
  code: endpoint({ ...posted, path: `${STATUS_PATH}/code`, input: z.object({ ...asked, of }) }),
  open: endpoint({
    ...posted,
    path: `${STATUS_PATH}/open`,
    input: z.object({ code: VisitorCode }),
  }),
  add: endpoint({
    ...posted,
    path: `${STATUS_PATH}/add`,
    input: z.object({ of, message: addition, key: z.string().check(z.maxLength(100)) }),
  }),
  held: endpoint({ ...posted, path: `${STATUS_PATH}/held`, input: z.object({ of }) }),
  erase: endpoint({
    ...posted,
    path: `${STATUS_PATH}/erase`,
    input: z.object({ of }),
  }),
  withdraw: endpoint({ ...posted, path: `${STATUS_PATH}/withdraw`, input: z.object({ of }) }),
  leave: endpoint({ ...posted, path: `${STATUS_PATH}/leave`, input: Empty }),
}
