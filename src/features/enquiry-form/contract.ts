import * as z from 'zod/mini'
import { BotCheckToken } from '../../bot-check/contract.ts'
import { Email, singleLine } from '../../http/common-schemas.ts'
import { type Access, endpoint } from '../../http/endpoint.ts'
import { replies } from '../../i18n/texts.ts'
import { Details } from './details/details.ts'
import { nestDetails } from './details/nest-details.ts'

export { describeDetails } from './details/details.ts'

/** The three forms that a visitor can send, by the type that staff filter by. */
export const formTypes = ['contact', 'visa-assessment', 'tracking'] as const
export type FormType = (typeof formTypes)[number]

export const services = ['family', 'skilled', 'business', 'investor', 'other'] as const

/** Characters. */
export const enquiryLimits = {
  name: { min: 2, max: 100 },
  email: { max: 254 },
  phone: { min: 7, max: 32 },
  message: { min: 10, max: 10_000 },
}

const { name, phone, message } = enquiryLimits

/** Unknown fields are ignored, so that a form may send more than the API knows. */
export const Enquiry = z.object({
  name: singleLine(name.min, replies.name, name.max, 'Name'),
  email: Email,
  phone: singleLine(phone.min, replies.phone, phone.max, 'Phone'),
  service: z.optional(z.enum(services, replies.service)),
  message: z.string(replies.message).check(
    // Browsers count a line break as one character; PostgreSQL cannot store NUL.
    z.overwrite(text => text.toWellFormed().replaceAll('\r\n', '\n').replaceAll('\0', '').trim()),
    z.minLength(message.min, replies.message),
    z.maxLength(message.max, replies.messageTooLong),
  ),
  details: z.optional(Details),
  recaptchaToken: z.optional(BotCheckToken),
})
export type Enquiry = z.output<typeof Enquiry>

export const Received = z.object({ message: z.string(), reference: z.string() })
export type Received = z.output<typeof Received>

function enquiryCall(path: string, summary: string) {
  return endpoint({
    method: 'POST',
    path,
    access: 'public' satisfies Access,
    summary,
    csrf: 'origin',
    input: Enquiry,
    reply: Received,
    status: 201,
    errorStatuses: [422],
    headers: {
      'Idempotency-Key': 'The same for a repeat of the same enquiry, which is then stored once',
    },
  })
}

/**
 * Bytes. A message of the greatest length has up to nine for each character in a form, and one that is longer is shown again
 * with what is wrong with it.
 */
const FORM_LIMIT = 256 * 1024

/** The form as a browser without JavaScript posts it, with its type in a field. An unknown type counts as the first. */
export const enquiryPost = endpoint({
  method: 'POST',
  path: '/contact',
  access: 'public',
  csrf: 'origin',
  body: 'form',
  bodyLimit: FORM_LIMIT,
  input: z.pipe(
    z.transform(nestDetails),
    z.extend(Enquiry, { formType: z.catch(z.enum(formTypes), 'contact') }),
  ),
  reply: Received,
})

export const enquiries = {
  contact: enquiryCall('/api/contact', 'Send a general enquiry'),
  'visa-assessment': enquiryCall('/api/visa-assessment', 'Ask for a visa assessment'),
  tracking: enquiryCall('/api/track-application', 'Ask how an application is going'),
} satisfies Record<FormType, unknown>
