import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

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

function sign(key: Buffer, random: string): string {
  return createHmac('sha256', key).update(`trial email ${random}`).digest('hex').slice(0, 32)
}
