import * as z from 'zod/mini'
import { CONTROL_CHARACTERS, MAX_EMAIL } from '../http/common-schemas.ts'
import { replies } from '../i18n/texts.ts'

/** ASCII before the @, so that nobody can add a look-alike of another person's address; any domain, in punycode. */
const STAFF_EMAIL =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/

/** Accepts anything in the form of an address: the reply must not show whether there is such an account. */
const ANY_EMAIL = /^[^@]+@(?:[a-z0-9-]+\.)+[a-z0-9-]+$/

/** The address of a member of staff, in its canonical form. */
export const StaffEmail = canonicalAddress(STAFF_EMAIL)

/** The address entered to sign in, in its canonical form. */
export const LoginEmail = canonicalAddress(ANY_EMAIL)

function canonicalAddress(pattern: RegExp) {
  return z.string(replies.email).check(
    // The time that the canonical form takes grows with the square of the length.
    z.refine(text => text.length <= MAX_EMAIL && !CONTROL_CHARACTERS.test(text), {
      error: replies.email,
      abort: true,
    }),
    z.overwrite(canonicalEmail),
    z.maxLength(MAX_EMAIL, replies.email),
    z.regex(pattern, replies.email),
  )
}

/**
 * The form in which a staff address is stored and looked up: NFKC, lower case, the domain in punycode. Text that is not
 * an address gets an empty domain, so that every check of an address rejects it.
 */
export function canonicalEmail(email: string): string {
  const parts = email.normalize('NFKC').trim().toLowerCase().split('@')
  const [local = '', domain = ''] = parts.length === 2 ? parts : []
  return `${local}@${asciiDomain(domain)}`
}

/** Browsers and Node normalise the host of a URL in the same way. The excluded characters would end the host or be dropped. */
function asciiDomain(domain: string): string {
  const address = `http://${domain}`
  return /[\s/\\?#:%[\]]/.test(domain) || !URL.canParse(address) ? '' : new URL(address).hostname
}
