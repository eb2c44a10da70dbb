import * as z from 'zod/mini'
import { BotCheckToken } from '../../bot-check/contract.ts'
import { TOKEN_MESSAGE } from '../../bot-check/token.ts'
import { Email, singleLine } from '../../http/common-schemas.ts'
import { type Access, endpoint } from '../../http/endpoint.ts'

/** The three forms that a visitor can send, by the type that staff filter by. */
export const formTypes = ['contact', 'visa-assessment', 'tracking'] as const
export type FormType = (typeof formTypes)[number]

export const formLabels: Record<FormType, string> = {
  contact: 'General enquiry',
  'visa-assessment': 'Visa assessment',
  tracking: 'Track my application',
}

export const services = ['family', 'skilled', 'business', 'investor', 'other'] as const
export type Service = (typeof services)[number]

export const serviceLabels: Record<Service, string> = {
  family: 'Family Migration',
  skilled: 'Skilled Migration',
  business: 'Business Visa',
  investor: 'Investor Stream',
  other: 'Other Visa Types',
}

/** Characters. */
export const enquiryLimits = {
  name: { min: 2, max: 100 },
  email: { max: 254 },
  phone: { min: 7, max: 32 },
  message: { min: 10, max: 10_000 },
}

export const enquiryMessages = {
  name: 'Name must be at least 2 characters',
  email: 'Please enter a valid email address',
  phone: 'Please enter a valid phone number',
  service: 'Please choose one of the services',
  message: 'Message must be at least 10 characters',
  messageTooLong: 'Message must be at most 10,000 characters',
  recaptchaToken: TOKEN_MESSAGE,
}

export const RECEIVED_TITLE = 'Request Submitted'
export const RECEIVED_MESSAGE = 'Thank you for your interest. We will contact you shortly.'

const { name, phone, message } = enquiryLimits

/** Unknown fields are ignored, so that a form may send more than the API knows. */
export const Enquiry = z.object({
  name: singleLine(name.min, enquiryMessages.name, name.max, 'Name'),
  email: Email,
  phone: singleLine(phone.min, enquiryMessages.phone, phone.max, 'Phone'),
  service: z.optional(z.enum(services, enquiryMessages.service)),
  message: z.string(enquiryMessages.message).check(
    // Browsers count a line break as one character; PostgreSQL cannot store NUL.
    z.overwrite(text => text.toWellFormed().replaceAll('\r\n', '\n').replaceAll('\0', '').trim()),
    z.minLength(message.min, enquiryMessages.message),
    z.maxLength(message.max, enquiryMessages.messageTooLong),
  ),
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

/** The form as a browser without JavaScript posts it, with its type in a field. An unknown type counts as the first. */
export const enquiryPost = endpoint({
  method: 'POST',
  path: '/contact',
  access: 'public',
  csrf: 'origin',
  body: 'form',
  input: z.extend(Enquiry, { formType: z.catch(z.enum(formTypes), 'contact') }),
  reply: Received,
})

export const enquiries = {
  contact: enquiryCall('/api/contact', 'Send a general enquiry'),
  'visa-assessment': enquiryCall('/api/visa-assessment', 'Ask for a visa assessment'),
  tracking: enquiryCall('/api/track-application', 'Ask how an application is going'),
} satisfies Record<FormType, unknown>
