import { days, hours, minutes } from '../platform/clock.ts'

/** Of links that set a password. A new colleague may be on holiday; who forgot their password waits for the email. */
export const LINK_LIFETIMES = { invitation: days(7), reset: minutes(30) }

/** For this long after the password, a person can enter the code or request another; then they must start again. */
export const PENDING_LIFETIME = hours(1)

/** Until another code can be requested. */
export const RESEND_AFTER = minutes(1)
