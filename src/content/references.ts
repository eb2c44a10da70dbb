import * as z from 'zod/mini'

/** What texts refer to. In a file of its own, so that the editor of rich text needs no more than this. */

export const HttpsUrl = z.url({ protocol: /^https$/, error: 'Give a full address that starts with https://' })
/** An address on this site. `//host` and `/\host` would lead to another one. */
export const Path = z
  .string()
  .check(z.regex(/^\/(?![/\\])\S*$/, 'Give an address on this site, such as /contact'))

const factName = /^[a-z0-9-]{1,100}$/
/** Refers to a fact with its date and source. */
export const FactName = z.string().check(z.regex(factName, 'Choose a fact'))
/** Of a fact that somebody adds. */
export const NewFactName = z.string().check(z.regex(factName, 'Give a name, with a to z, digits and hyphens'))

/** Of the first agent, where a document names who advises. Nobody else of the team has this id. */
export const PRINCIPAL = 'principal'
