import * as z from 'zod/mini'
import { Email, Empty, singleLine } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { MAX_SENT, MAX_SENT_BYTES } from '../inbox/attachments/contract.ts'
import { written } from '../inbox/conversation/contract.ts'
import { Certificate } from '../privacy/contract.ts'

/** The page of one enquiry, and the one on which its link is asked for. */
export const STATUS_PATH = '/status'
export const TRACK_PATH = '/track'

/** Characters of a visitor's addition, as of an enquiry. */
export const MAX_ADDITION = 10_000

/** Files of one addition, and bytes of them together: as of a reply. */
export const MAX_ADDED = MAX_SENT
export const MAX_ADDED_BYTES = MAX_SENT_BYTES

/** In the order in which an enquiry goes through them. */
export const states = ['received', 'read', 'answered', 'closed'] as const

const Status = z.object({
  reference: z.string(),
  receivedAt: z.string(),
  /** `read`: by a person. */
  state: z.enum(states),
  /** Of the last answer; null before there is one. */
  answeredAt: z.nullable(z.string()),
  /** Whether the visitor has written again since that. */
  hasWrittenSince: z.boolean(),
  /** When the visitor said that no answer is needed, if nothing was said since. */
  withdrawnAt: z.nullable(z.string()),
  /** When an answer can be expected, in working hours of the office; null where nobody promises one. */
  answerBy: z.nullable(z.string()),
})
export type Status = z.output<typeof Status>

/** What visitor and agency have said to each other. */
const Said = z.object({
  id: z.string(),
  by: z.enum(['agency', 'visitor']),
  /** Who answered; null of a visitor, and of somebody whose name is no longer known. */
  name: z.nullable(z.string()),
  body: z.string(),
  /** `isKept`: it can be downloaded. */
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number(), isKept: z.boolean() })),
  createdAt: z.string(),
})
export type Said = z.output<typeof Said>

/** What was emailed to a visitor: an answer, that the enquiry has come, or a link or code that they have asked for. */
export const EMAIL_KINDS = ['reply', 'acknowledgement', 'visitor'] as const

/** All that is kept of an enquiry, for its visitor: never what staff write for each other. */
const Held = z.object({
  reference: z.string(),
  receivedAt: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  service: z.nullable(z.string()),
  /** Further answers of the form, by question. */
  details: z.record(z.string(), z.string()),
  said: z.array(Said),
  /** Emails about it to this address. */
  emails: z.array(z.object({ kind: z.enum(EMAIL_KINDS), createdAt: z.string() })),
})
export type Held = z.output<typeof Held>

const token = z
  .string('Give the token')
  .check(z.minLength(20, 'Give the token'), z.maxLength(100, 'Give the token'))
/** Characters: six digits, as people paste them. */
export const CODE_LENGTH = 40
export const CODE_MESSAGE = 'Enter the six digits of the newest email'
/** Of one that was used, tried too often or is too old: no other try helps. */
export const CODE_ENDED = 'This code no longer works. Ask for another one.'
export const VisitorCode = z.string(CODE_MESSAGE).check(
  // Also with the words around it in the email.
  z.overwrite(text => text.replaceAll(/\D/g, '')),
  z.regex(/^\d{6}$/, CODE_MESSAGE),
)
/** As people type it from a picture: with other spaces and dashes, in lower case, and without the LF. */
function toReference(text: string): string {
  const [, characters] =
    /^(?:[L1I]F)?([0-9A-Z]{8})$/.exec(text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')) ?? []
  return characters ? `LF-${characters.slice(0, 4)}-${characters.slice(4)}` : text.trim()
}

export const Asked = {
  reference: singleLine(1, 'Enter your reference', 40, 'The reference').check(z.overwrite(toReference)),
  email: Email,
}
/** On the pages, what cannot be a reference is said at once: it is nobody's. */
export const AskedOnPage = {
  ...Asked,
  reference: Asked.reference.check(
    z.regex(
      /^LF-[0-9A-Z]{4}-[0-9A-Z]{4}$/,
      'A reference looks like LF-7K3M-92QD: two times four characters after LF',
    ),
  ),
}
export const EMPTY = 'Write something'
/** May be empty beside files. */
export const addition = written.check(
  z.trim(),
  z.maxLength(MAX_ADDITION, `At most ${MAX_ADDITION.toLocaleString('en-AU')} characters`),
)

/** Nobody is signed in, and the token of a link is the authority: no other site knows it. */
const open = { method: 'POST', access: 'public', csrf: 'origin' } as const
const withAccess = { token, access: token }

/** The page of an enquiry for its visitor. None of these calls is a GET, so no token is in an address that a server logs. */
export const visitorPage = {
  /** The answer is the same for anything. */
  link: endpoint({
    ...open,
    path: '/api/public/status-link',
    summary: 'Email the link to the page of an enquiry to the address that the enquiry has',
    input: z.strictObject(Asked),
    reply: Empty,
    status: 202,
  }),
  /** With a code, also what was said, and for half an hour the right to add to it. */
  read: endpoint({
    ...open,
    path: '/api/public/status',
    summary: 'Read how far an enquiry is, with the token of its link',
    input: z.strictObject({ token, code: z.optional(VisitorCode) }),
    reply: z.object({ status: Status, replies: z.optional(z.array(Said)), access: z.optional(z.string()) }),
    errorStatuses: [404],
  }),
  code: endpoint({
    ...open,
    path: '/api/public/status/code',
    summary: 'Email a code of six digits to the address of an enquiry',
    input: z.strictObject({ token }),
    reply: Empty,
    status: 202,
    errorStatuses: [404],
  }),
  add: endpoint({
    ...open,
    path: '/api/public/status/additions',
    summary: 'Add to an enquiry',
    input: z.strictObject({ ...withAccess, message: addition.check(z.minLength(1, EMPTY)) }),
    reply: Empty,
    status: 201,
    errorStatuses: [404, 409],
  }),
  file: endpoint({
    ...open,
    path: '/api/public/status/file',
    summary: 'Download a file of an enquiry',
    input: z.strictObject({ ...withAccess, id: z.uuid('There is no such id') }),
    reply: z.instanceof(ReadableStream<Uint8Array>),
    mediaType: 'application/octet-stream',
    errorStatuses: [404],
  }),
  held: endpoint({
    ...open,
    path: '/api/public/status/held',
    summary: 'Read all that is kept of an enquiry',
    input: z.strictObject(withAccess),
    reply: z.object({ held: Held }),
    errorStatuses: [404],
  }),
  erase: endpoint({
    ...open,
    path: '/api/public/status/erasure',
    summary: 'Erase an enquiry that nobody has answered, with all else of its address, or ask an admin to',
    input: z.strictObject(withAccess),
    // Without it, an admin decides.
    reply: z.object({ certificate: z.optional(Certificate) }),
    isAccepted: reply => !('certificate' in reply),
    errorStatuses: [404, 409],
  }),
  withdraw: endpoint({
    ...open,
    path: '/api/public/status/withdrawal',
    summary: 'Withdraw an enquiry',
    input: z.strictObject(withAccess),
    reply: Empty,
    errorStatuses: [404],
  }),
}
