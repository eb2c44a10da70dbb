import { hours } from '../../clock.ts'

/** Each takes seconds of a processor. Nobody chooses as many pictures in an hour, and together they fill the quota. */
export const UPLOADS_PER_USER = { name: 'uploaded pictures', count: 300, per: hours(1) }
/** Pictures on one page of the list. */
export const PAGE = 50
