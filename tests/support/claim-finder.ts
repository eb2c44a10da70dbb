import { findClaims } from '../../src/content/claims/find-claims.ts'
import type { ClaimContext, Finding } from '../../src/content/claims/finding.ts'

const context: ClaimContext = {
  language: 'en-AU',
  today: '2026-12-01',
  facts: new Map(),
  subclasses: new Map([
    ['188', 'closed'],
    ['482', 'open'],
    ['888', 'open'],
  ]),
  paths: null,
  people: null,
  host: 'agency.test',
}

export const find = (body: unknown, change: Partial<ClaimContext> = {}) =>
  findClaims(body, { ...context, ...change })
export const blocking = (findings: readonly Finding[]) => findings.filter(({ level }) => level !== 'hint')
/** The rules that block and that a text breaks. */
export const rulesOf = (text: string) => blocking(find({ description: text })).map(({ rule }) => rule)
export const run = (text: string, ...marks: readonly object[]) => ({ type: 'text', text, marks })
export const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content })
export const heading = (text: string) => ({ type: 'heading', attrs: { level: 2 }, content: [run(text)] })
export const list = (...items: readonly string[]) => ({
  type: 'bullet_list',
  content: items.map(text => ({ type: 'list_item', content: [paragraph(run(text))] })),
})
export const doc = (...content: readonly object[]) => ({
  blocks: [{ id: 'text-1', type: 'text', text: { type: 'doc', content } }],
})
export const rulesIn = (...content: readonly object[]) =>
  blocking(find(doc(...content))).map(({ rule }) => rule)
