import * as z from 'zod/mini'
import { CONTROL_CHARACTERS, EMAIL_MESSAGE } from '../http/common-schemas.ts'
import { canonicalEmail } from './canonical-email.ts'

/** ASCII before the @, so that no look-alike of a colleague's address can be entered; any domain, in punycode. */
const STAFF_EMAIL =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/

/** As long as it has the shape of an address: whether there is such an account must not show. */
const ANY_EMAIL = /^[^@]+@(?:[a-z0-9-]+\.)+[a-z0-9-]+$/

/** The address of a member of staff, in its canonical form. */
export const StaffEmail = canonicalAddress(STAFF_EMAIL)

/** What someone signs in with, in its canonical form. */
export const LoginEmail = canonicalAddress(ANY_EMAIL)

function canonicalAddress(pattern: RegExp) {
  return z.string(EMAIL_MESSAGE).check(
    z.refine(text => !CONTROL_CHARACTERS.test(text), { error: EMAIL_MESSAGE, abort: true }),
    z.overwrite(canonicalEmail),
    z.maxLength(254, EMAIL_MESSAGE),
    z.regex(pattern, EMAIL_MESSAGE),
  )
}
