import type { FirstDocument } from './first-content.server.ts'
import type { VisaBody } from './page-bodies.ts'
import {
  callout,
  heading,
  type Line,
  line,
  link,
  list,
  type NewBlock,
  paragraph,
  plain,
  steps,
  strong,
  subheading,
  text,
  withIds,
} from './sample-text.server.ts'
import type { SiteBody } from './site-body.ts'

export type Category = SiteBody['visaCategories'][number]
type Link = readonly [label: string, path: string]

/** What a page about a visa adds to its category, which has the subclasses, the figures and the sources. */
export interface VisaWords {
  readonly slug: string
  readonly title: string
  /** The lead of the page, and what search engines show. */
  readonly description: string
  readonly lookAtItIf: readonly string[]
  readonly lookElsewhereIf: readonly (readonly [situation: string, ...Link])[]
  readonly steps: readonly string[]
  readonly evidence: readonly string[]
}

export function visaPage({ id: _, ...category }: Category, words: VisaWords): FirstDocument {
  const { slug, title, description } = words
  const path = `/visas/${slug}`
  const body: VisaBody = { ...category, path, title, description, blocks: withIds(toBlocks(category, words)) }
  return { kind: 'visa', path, title, body }
}

type Known = Pick<Category, 'more' | 'service' | 'programme'>

function toBlocks(category: Known, words: VisaWords): NewBlock[] {
  const elsewhere = words.lookElsewhereIf.map(
    ([situation, ...to]) => line`${plain(`${situation} `)}${link(...to)}.`,
  )
  return category.programme.status === 'open'
    ? openBlocks(category, words, elsewhere)
    : closedBlocks(category, words, elsewhere)
}

function openBlocks({ more, service }: Known, words: VisaWords, elsewhere: readonly Line[]): NewBlock[] {
  return [
    text(
      heading('Who it is for'),
      subheading('Look at it if'),
      list(...words.lookAtItIf),
      subheading('Look elsewhere if'),
      list(...elsewhere),
    ),
    text(heading('The steps'), steps(...words.steps), heading('What it costs')),
    callout(
      'Two separate amounts',
      paragraph`${strong('The visa charge:')} the Department sets it, and you pay it to the Department. It changes often, so look it up on ${link('its own page', more.url)}.`,
      paragraph`${strong('Our fee:')} it includes GST, and you agree to it in writing before we start. See ${link('what our work costs', '/fees')}.`,
    ),
    text(
      heading('Evidence to gather'),
      list(...words.evidence),
      paragraph`These are papers that most people need. When we work for you, you get a list for your own case. ${link('Ask about this visa', `/contact?service=${service}`)}.`,
    ),
  ]
}

function closedBlocks({ service }: Known, words: VisaWords, elsewhere: readonly Line[]): NewBlock[] {
  return [
    text(
      heading('What this means'),
      list(...words.lookAtItIf),
      heading('Where to look instead'),
      list(...elsewhere),
      heading('What to do next'),
      steps(...words.steps),
      paragraph`You hold this visa, or you had planned to apply? ${link('Ask us', `/contact?service=${service}`)} what that means for you.`,
    ),
  ]
}
