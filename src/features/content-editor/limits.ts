import { hours } from '../../clock.ts'

/** Two a second: one tab saves every 1.5 seconds at most, and nobody types in more than two for an hour. */
export const SAVES_PER_USER = { name: 'saved drafts', count: 7200, per: hours(1) }
/** Documents, publications, restored versions, deletions and facts, which all stay. Nobody makes five a minute for an hour. */
export const ADDITIONS_PER_USER = { name: 'additions to the content', count: 300, per: hours(1) }
