import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { sampleContent } from '../../sample/site.server.ts'
import type { TypedBody } from '../bodies.ts'
import { toStablePath, valueAt } from '../json.ts'
import type { PageBlock } from '../page-bodies.ts'
import type { SiteBody } from '../site-body.ts'
import { findSamples } from './samples.ts'

/** Details of the sample agency that nobody has confirmed: a value that differs from the shipped one is the agency's own. */

const shipped = sampleContent.site

/** Fields of the site document that say who the agency is, and where and when it works. */
const company = ['legalName', 'abn', 'address', 'phone', 'email', 'chat', 'location'] as const
const agent = ['name', 'title', 'registrationNumber', 'heading', 'languages'] as const
/** The story: each paragraph for itself. */
const stories = ['introduction', 'founderProfile'] as const

const PLACEHOLDER_FEE = /^AUD 0[0,]*$/

/** The paths of the details that are as shipped, such as `agent.name` or `agent.introduction.0`. */
export function findSampleParts(site: SiteBody): string[] {
  const paragraphs = stories.flatMap(story => {
    const texts = new Set(shipped.agent[story].map(({ text }) => text))
    return site.agent[story].flatMap(({ text }, at) => (texts.has(text) ? `agent.${story}.${at}` : []))
  })
  return [
    ...company.flatMap(key => same(site.company[key], shipped.company[key], `company.${key}`)),
    ...agent.flatMap(key => same(site.agent[key], shipped.agent[key], `agent.${key}`)),
    ...paragraphs,
    ...same(site.officeHours, shipped.officeHours, 'officeHours'),
  ]
}

/** A pin of the sample is that of nobody once the address is another, also where samples are shown. */
export function findStrayPin(samples: ReadonlySet<string>): ReadonlySet<string> {
  const [pin, address] = ['company.location', 'company.address']
  return new Set(samples.has(pin) && !samples.has(address) ? [pin] : [])
}

function same(value: unknown, sample: unknown, path: string): string[] {
  return isDeepStrictEqual(value, sample) ? [path] : []
}

/** A fee of the sample: what it is for, and its cell. */
export interface SampleFee {
  readonly work: string
  readonly field: string
}

export function findSampleFees({ body }: Exclude<TypedBody, { kind: 'site' }>): SampleFee[] {
  return body.blocks.flatMap((block, at) =>
    sampleRows(block).map(row => ({
      work: Object.values(row.cells)[0] ?? '',
      field:
        block.type === 'table' ? cellOf(`blocks.${at}.grid.rows.${block.grid.rows.indexOf(row)}`, row) : '',
    })),
  )
}

/** The path of the cell with the fee. */
function cellOf(path: string, { cells }: Pick<Row, 'cells'>): string {
  const [column] = Object.entries(cells).find(([, cell]) => PLACEHOLDER_FEE.test(cell)) ?? []
  return column === undefined ? path : `${path}.cells.${column}`
}

/** The field of a sample where somebody edits it: of a row or a table, the first fee. */
export function editedField(field: string, value: unknown): string {
  const table = TableOfFees.safeParse(value)
  if (table.success) return cellOf(`${field}.grid.rows.0`, table.data.grid.rows[0] ?? { cells: {} })
  const row = Row.safeParse(value)
  return row.success ? cellOf(field, row.data) : field
}

const Row = z.object({ cells: z.record(z.string(), z.string()) })
type Row = z.output<typeof Row>
const TableOfFees = z.object({ grid: z.object({ rows: z.array(Row) }) })

/** A document without fees of the sample, and without the agent of the sample as its author. */
export function withoutSampleParts<Body extends Exclude<TypedBody, { kind: 'site' }>>(content: Body): Body {
  const { body } = content
  const blocks = body.blocks.flatMap<PageBlock>(block => {
    if (block.type !== 'table') return [block]
    const samples = sampleRows(block)
    const rows = block.grid.rows.filter(row => !samples.includes(row))
    return rows.length > 0 ? [{ ...block, grid: { ...block.grid, rows } }] : []
  })
  const author = isSignedBySample(content) ? { author: '' } : {}
  return { ...content, body: { ...body, ...author, blocks } }
}

function sampleRows(block: PageBlock) {
  if (block.type !== 'table') return []
  return block.grid.rows.filter(({ cells }) => Object.values(cells).some(cell => PLACEHOLDER_FEE.test(cell)))
}

/** A sample and where it stands. */
export interface PlacedSample {
  /** Stable, such as `company.abn` or `claims.#claim-1`. */
  readonly path: string
  readonly value: unknown
  /** What stands there once it is removed; undefined for an item of a list, which goes. */
  readonly empty?: unknown
  /** Of an item: where it is in its list. */
  readonly at: number
}

/** The samples of a body, in the order of its fields. */
export function findSamplesIn(typed: TypedBody, findings: string): PlacedSample[] {
  const { body } = typed
  const place = (path: string, empty?: unknown): PlacedSample => {
    const at = Number(path.slice(path.lastIndexOf('.') + 1)) || 0
    return {
      path: toStablePath(body, path),
      value: valueAt(body, path),
      at,
      ...(empty !== undefined && { empty }),
    }
  }
  if (typed.kind === 'site') {
    const paths = [...findSampleParts(typed.body), ...[...findSamples(findings)].toSorted()]
    return paths.map(path => {
      if (/\.\d+$/.test(path)) return place(path)
      return place(path, Array.isArray(valueAt(body, path)) ? [] : null)
    })
  }
  const rows = typed.body.blocks.flatMap((block, at) => {
    const samples = sampleRows(block)
    if (block.type !== 'table' || samples.length === 0) return []
    // A table has rows.
    if (samples.length === block.grid.rows.length) return [place(`blocks.${at}`)]
    return samples.map(row => place(`blocks.${at}.grid.rows.${block.grid.rows.indexOf(row)}`))
  })
  return [...(isSignedBySample(typed) ? [place('author', '')] : []), ...rows]
}

/** Whether the agent of the sample is the author. Somebody of the team takes the place of that name. */
export function isSignedBySample({ body }: TypedBody): boolean {
  return 'author' in body && body.author === shipped.agent.name && !body.agent
}

/** What the starter text, now or in an earlier version, says of the sample agency, and what is true of any. */
const sampleTexts: readonly (readonly [sample: string, instead: string])[] = [
  [' They apply from July 2026.', ''],
  [
    'A registered migration agent reads your message, and answers in writing during our office hours.',
    'We read your message, and answer in writing during our office hours.',
  ],
  [
    'A registered migration agent reads every enquiry. The agent’s registration number (MARN) is at the foot of each page, and you can look it up in the ',
    'Every migration agent has a registration number (MARN), which you can look up in the ',
  ],
  [
    ' We answer in our office hours, Sydney time. They are on the ',
    ' We answer in our office hours. See the ',
  ],
  ['"mailto:hello@landfall.example"', '"/contact"'],
  ['hello@landfall.example', 'us with the form'],
]

/** The stored text of a document without what the starter text says of the sample agency. */
export function withoutSampleTexts(body: string): string {
  return sampleTexts.reduce((text, [sample, instead]) => text.replaceAll(sample, instead), body)
}
