import type { FirstDocument } from '../content/first-content.server.ts'
import type { VisaBody } from '../content/page-bodies.ts'
import { askAbout } from '../content/reserved-paths.ts'
import type { DescribedVisa } from '../content/visas.ts'
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
} from './text.server.ts'

export type Category = DescribedVisa
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

export function visaPage(category: Category, words: VisaWords): FirstDocument {
  const { id, kind: _, isOnHome: __, title: cardTitle, description: cardText, ...visa } = category
  const { slug, title, description } = words
  const path = `/visas/${slug}`
  const blocks = withIds(toBlocks(category, words, askAbout(path)))
  const body: VisaBody = { ...visa, path, title, description, cardTitle, cardText, blocks }
  return { kind: 'visa', path, title, body, place: id }
}

type Known = Pick<Category, 'more' | 'programme'>

/** @param ask the address of the form with this visa in it */
function toBlocks({ more, programme }: Known, words: VisaWords, ask: string): NewBlock[] {
  const elsewhere = words.lookElsewhereIf.map(
    ([situation, ...to]) => line`${plain(`${situation} `)}${link(...to)}.`,
  )
  return programme.status === 'open'
    ? openBlocks(words, elsewhere, more.url, ask)
    : closedBlocks(words, elsewhere, ask)
}

function openBlocks(words: VisaWords, elsewhere: readonly Line[], charge: string, ask: string): NewBlock[] {
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
      paragraph`${strong('The visa charge:')} the Department sets it, and you pay it to the Department. It changes often, so look it up on ${link('its own page', charge)}.`,
      paragraph`${strong('Our fee:')} it includes GST, and you agree to it in writing before we start. See ${link('what our work costs', '/fees')}.`,
    ),
    text(
      heading('Evidence to gather'),
      list(...words.evidence),
      paragraph`These are papers that most people need. When we work for you, you get a list for your own case. ${link('Ask about this visa', ask)}.`,
    ),
  ]
}

function closedBlocks(words: VisaWords, elsewhere: readonly Line[], ask: string): NewBlock[] {
  return [
    text(
      heading('What this means'),
      list(...words.lookAtItIf),
      heading('Where to look instead'),
      list(...elsewhere),
      heading('What to do next'),
      steps(...words.steps),
      paragraph`You hold this visa, or you had planned to apply? ${link('Ask us', ask)} what that means for you.`,
    ),
  ]
}
