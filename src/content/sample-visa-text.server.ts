import type { FirstDocument } from './first-content.server.ts'
import type { VisaBody } from './page-bodies.ts'
import {
  heading,
  line,
  link,
  list,
  type NewBlock,
  paragraph,
  plain,
  steps,
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

function toBlocks(category: Pick<Category, 'more' | 'service' | 'programme'>, words: VisaWords): NewBlock[] {
  const isOpen = category.programme.status === 'open'
  const elsewhere = words.lookElsewhereIf.map(
    ([situation, ...to]) => line`${plain(`${situation} `)}${link(...to)}.`,
  )
  return [
    text(
      heading(isOpen ? 'Look at it if' : 'What this means'),
      list(...words.lookAtItIf),
      heading(isOpen ? 'Look elsewhere if' : 'Where to look instead'),
      list(...elsewhere),
      heading(isOpen ? 'The steps' : 'What to do next'),
      steps(...words.steps),
    ),
    isOpen ? costs(category, words.evidence) : ask(category),
  ]
}

function costs({ more, service }: Pick<Category, 'more' | 'service'>, evidence: readonly string[]): NewBlock {
  return text(
    heading('What it costs'),
    paragraph`The Department sets the visa charge, and you pay it to the Department. It changes often, so look it up on ${link('its own page', more.url)}.`,
    paragraph`Our fee includes GST, and you agree to it in writing before we start. See ${link('what our work costs', '/fees')}.`,
    heading('Evidence to gather'),
    list(...evidence),
    paragraph`These are papers that most people need. When we work for you, you get a list for your own case. ${link('Ask about this visa', `/contact?service=${service}`)}.`,
  )
}

function ask({ service }: Pick<Category, 'service'>): NewBlock {
  return text(
    paragraph`You hold this visa, or you had planned to apply? ${link('Ask us', `/contact?service=${service}`)} what that means for you.`,
  )
}
