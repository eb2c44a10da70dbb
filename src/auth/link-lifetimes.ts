import { days, minutes } from '../platform/clock.ts'

/** Of links that set a password. A new colleague may be on holiday; who forgot their password waits for the email. */
export const LINK_LIFETIMES = { invitation: days(7), reset: minutes(30) }
