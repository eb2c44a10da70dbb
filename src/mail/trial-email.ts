import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { headersOf, messageIdOf } from './mail-source.ts'

/** Emails with which the way of mail is tried. They are known by their Message-ID, and never become an enquiry. */

const FORM = /^<try-([0-9a-f]{32})-([0-9a-f]{32})@[^<>@\s]+>$/

/** Only who has the key can make another, which would then be passed over. */
export function newTrialId(key: Buffer, host: string): string {
  const random = randomBytes(16).toString('hex')
  return `<try-${random}-${sign(key, random)}@${host}>`
}

export function isTrialId(key: Buffer, messageId: string | null): boolean {
  const [, random = '', signature = ''] = FORM.exec(messageId ?? '') ?? []
  return random !== '' && timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, random)))
}

/** In which each email keeps its Message-ID: some providers give it another one, Exchange among them. */
export const OWN_ID_HEADER = 'X-Landfall-Message-ID'

const OWN_ID = new RegExp(`^${OWN_ID_HEADER}:\\s*(<[^<>\\s]{1,995}>)`, 'im')

/** What begins a conversation and still refers to one mail refers to itself: see `composeMime`. An answer says which one it answers. */
const OWN_REFERENCE = /^References:\s*(<[^<>\s]{1,995}>)[ \t]*$(?!\r?\n[ \t])/im

/** The Message-ID of a mail, and the one that it had when it was sent from here. */
export function identifiersOf(raw: Uint8Array): (string | null)[] {
  const headers = headersOf(raw)
  const reference = /^In-Reply-To:/im.test(headers) ? null : OWN_REFERENCE.exec(headers)?.[1]
  return [messageIdOf(raw), OWN_ID.exec(headers)?.[1] ?? null, reference ?? null]
}

function sign(key: Buffer, random: string): string {
  return createHmac('sha256', key).update(`trial email ${random}`).digest('hex').slice(0, 32)
}
