import * as z from 'zod/mini'
import { BotCheckToken } from '../../bot-check/contract.ts'
import { TOKEN_MESSAGE } from '../../bot-check/token.ts'
import { Email, singleLine } from '../../http/common-schemas.ts'
import { type Access, endpoint } from '../../http/endpoint.ts'

/** The three forms a visitor can send, by the type under which staff find them. */
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
  name: { least: 2, most: 100 },
  email: { most: 254 },
  phone: { least: 7, most: 32 },
  message: { least: 10, most: 10_000 },
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

/** Unknown keys are ignored: an enquiry is not refused for what a form adds to it. */
export const Enquiry = z.object({
  name: singleLine(name.least, enquiryMessages.name, name.most, 'Name'),
  email: Email,
  phone: singleLine(phone.least, enquiryMessages.phone, phone.most, 'Phone'),
  service: z.optional(z.enum(services, enquiryMessages.service)),
  message: z.string(enquiryMessages.message).check(
    // Line breaks are one character in every browser's count, and NUL is what PostgreSQL cannot store.
    z.overwrite(text => text.toWellFormed().replaceAll('\r\n', '\n').replaceAll('\0', '').trim()),
    z.minLength(message.least, enquiryMessages.message),
    z.maxLength(message.most, enquiryMessages.messageTooLong),
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

export const enquiries = {
  contact: enquiryCall('/api/contact', 'Send a general enquiry'),
  'visa-assessment': enquiryCall('/api/visa-assessment', 'Ask for a visa assessment'),
  tracking: enquiryCall('/api/track-application', 'Ask how an application is going'),
} satisfies Record<FormType, unknown>
