import * as z from 'zod/mini'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PostedFile } from '../../http/input.ts'
import {
  AskedOnPage,
  addition,
  MAX_ADDED,
  MAX_ADDED_BYTES,
  STATUS_PATH,
  TRACK_PATH,
  VisitorCode,
} from './contract.ts'

/** What the forms of the two pages post. They work without a script, and a script posts the first of them. */

/** Bytes of a form without files. */
export const FORM_BYTES = 64 * 1024

const posted = { method: 'POST', access: 'public', csrf: 'origin', body: 'form', reply: Empty } as const
/** The reference of the enquiry that the page is of: a cookie may be of another one that was opened since. */
const of = z._default(z.string(), '')
/** Empty where a cookie says which enquiry it is. */
const asked = { reference: z._default(z.string(), ''), email: z._default(z.string(), '') }

export const statusForms = {
  track: endpoint({ ...posted, path: TRACK_PATH, input: z.object(AskedOnPage) }),
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
    body: 'multipart',
    // Beside the files, what other forms have.
    bodyLimit: MAX_ADDED_BYTES + FORM_BYTES,
    input: z.object({
      of,
      message: z._default(addition, ''),
      key: z.string().check(z.maxLength(100)),
      files: z._default(
        z
          .array(
            z.custom<PostedFile>(file => file instanceof Object),
            'Choose files',
          )
          .check(z.maxLength(MAX_ADDED, `At most ${MAX_ADDED} files`)),
        [],
      ),
    }),
  }),
  file: endpoint({
    ...posted,
    path: `${STATUS_PATH}/file`,
    input: z.object({ of, id: z.uuid('There is no such id') }),
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
