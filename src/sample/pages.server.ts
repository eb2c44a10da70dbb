import { FormBlock } from '../content/blocks/blocks.ts'
import type { FirstDocument, Samples } from '../content/first-content.server.ts'
import type { ArticleBody, PageBlock, PageBody, VisaBody } from '../content/page-bodies.ts'
import { askAbout } from '../content/reserved-paths.ts'
import type { Inline, RichText } from '../content/rich-text.ts'
import { SiteBody } from '../content/site-body.ts'
import { type DescribedVisa, describedVisas } from '../content/visas.ts'
import articles from './articles.json' with { type: 'json' }
import { finderQuestions, finderSource, finderStarts } from './finder.server.ts'
import holidays from './holidays.json' with { type: 'json' }
import menus from './menus.json' with { type: 'json' }
import pages from './pages.json' with { type: 'json' }
import { sampleContent, sampleFacts } from './site.server.ts'
import templates from './templates.json' with { type: 'json' }
import visas from './visas.json' with { type: 'json' }

export const sampleArticles = articles.map(toArticle)

/** The pages, visas and articles of a new installation. An agency replaces what does not fit it. */
export const samplePages: Samples = {
  facts: sampleFacts,
  ...menus,
  /**
   * In the state of the sample office, by the Public Holidays Act 2010 (NSW). Days that a government adds for one year, such as
   * for Anzac Day on a weekend, are for the agency to add.
   */
  holidays: SiteBody.shape.holidays.parse(holidays),
  finder: { finderQuestions, finderSource, finderStarts },
  documents: site => [...pages.map(toPage), ...describedVisas(site).flatMap(toVisaPage), ...sampleArticles],
}

/** Lines with signs: `## heading`, `### subheading`, `- item`, `1. step`. The others are paragraphs. */
type Lines = readonly string[]
type SampleBlock =
  | { readonly text: Lines }
  | { readonly callout: string; readonly text: Lines }
  | { readonly form: string }
  | { readonly questions: Readonly<Record<string, Lines>> }
  | { readonly table: string; readonly columns: Lines; readonly rows: readonly Lines[] }

interface SamplePage {
  readonly path: string
  readonly title: string
  /** The lead of the page, and what search engines show. */
  readonly description: string
  readonly blocks: readonly SampleBlock[]
}

function toPage({ blocks, ...head }: SamplePage): FirstDocument {
  const body: PageBody = { ...head, blocks: toBlocks(blocks) }
  return { kind: 'page', path: head.path, title: head.title, body }
}

function toArticle({ liveFrom, blocks, ...head }: SamplePage & { readonly liveFrom: string }): FirstDocument {
  const body: ArticleBody = { ...head, author: sampleContent.site.agent.name ?? '', blocks: toBlocks(blocks) }
  return { kind: 'article', path: head.path, title: head.title, liveFrom, body }
}

/** The page of a category, which has the subclasses, the figures and the sources. */
function toVisaPage(category: DescribedVisa): FirstDocument[] {
  const page = visas.find(visa => visa.title === category.title)?.page
  if (!page) return []
  const { id, kind: _, isOnHome: __, title: cardTitle, description: cardText, ...visa } = category
  const { slug, title, description } = page
  const path = `/visas/${slug}`
  const blocks = toBlocks(
    visa.programme.status === 'open'
      ? openBlocks(page, visa.more.url, askAbout(path))
      : closedBlocks(page, askAbout(path)),
  )
  const body: VisaBody = { ...visa, path, title, description, cardTitle, cardText, blocks }
  return [{ kind: 'visa', path, title, body, place: id }]
}

type VisaTexts = (typeof visas)[number]['page']

/** @param ask the address of the form with this visa in it */
function openBlocks(page: VisaTexts, charge: string, ask: string): SampleBlock[] {
  return [
    {
      text: [
        '## Who it is for',
        '### Look at it if',
        ...page.lookAtItIf.map(asItem),
        '### Look elsewhere if',
        ...page.lookElsewhereIf.map(asItem),
      ],
    },
    { text: ['## The steps', ...page.steps.map(asStep), '## What it costs'] },
    {
      callout: 'Two separate amounts',
      text: [
        `**The visa charge:** the Department sets it, and you pay it to the Department. It changes often, so look it up on [its own page](${charge}).`,
        '**Our fee:** it includes GST, and you agree to it in writing before we start. See [what our work costs](/fees).',
      ],
    },
    {
      text: [
        '## Evidence to gather',
        ...page.evidence.map(asItem),
        `These are papers that most people need. When we work for you, you get a list for your own case. [Ask about this visa](${ask}).`,
      ],
    },
  ]
}

function closedBlocks(page: VisaTexts, ask: string): SampleBlock[] {
  return [
    {
      text: [
        '## What this means',
        ...page.lookAtItIf.map(asItem),
        '## Where to look instead',
        ...page.lookElsewhereIf.map(asItem),
        '## What to do next',
        ...page.steps.map(asStep),
        `You hold this visa, or you had planned to apply? [Ask us](${ask}) what that means for you.`,
      ],
    },
  ]
}

const asItem = (line: string) => `- ${line}`
const asStep = (line: string, at: number) => `${at + 1}. ${line}`

/** What a new page starts with, for somebody to replace. */
export function templateBlocks(name: keyof typeof templates): PageBlock[] {
  return toBlocks(templates[name].blocks)
}

/** The ids are the same on every node. */
function toBlocks(blocks: readonly SampleBlock[]): PageBlock[] {
  return blocks.map((block, at) => ({ ...toBlock(block), id: `block-${at + 1}` }))
}

function toBlock(block: SampleBlock) {
  if ('form' in block) return { type: 'form' as const, kind: FormBlock.shape.kind.parse(block.form) }
  if ('table' in block) return toTable(block)
  if ('questions' in block)
    return {
      type: 'faq' as const,
      questions: Object.entries(block.questions).map(([question, answer], at) => ({
        id: `question-${at + 1}`,
        question,
        answer: readLines(answer),
      })),
    }
  const text = readLines(block.text)
  return 'callout' in block
    ? { type: 'callout' as const, tone: 'note' as const, title: block.callout, text }
    : { type: 'text' as const, text }
}

function toTable({ table, columns: labels, rows }: Extract<SampleBlock, { table: string }>) {
  const columns = labels.map((label, at) => ({ id: `column-${at + 1}`, label }))
  const cellsOf = (texts: Lines) => Object.fromEntries(columns.map(({ id }, at) => [id, texts[at] ?? '']))
  return {
    type: 'table' as const,
    caption: table,
    grid: { columns, rows: rows.map((texts, at) => ({ id: `row-${at + 1}`, cells: cellsOf(texts) })) },
  }
}

function readLines(lines: Lines): RichText {
  const content: RichText['content'] = []
  for (const line of lines) {
    const [sign = ''] = /^(##|###|-|\d+\.) /.exec(line) ?? []
    const inlines = readInlines(line.slice(sign.length))
    if (sign === '') content.push({ type: 'paragraph', content: inlines })
    else if (sign.startsWith('#'))
      content.push({ type: 'heading', attrs: { level: sign === '## ' ? 2 : 3 }, content: inlines })
    else addItem(content, sign === '- ' ? 'bullet_list' : 'ordered_list', inlines)
  }
  return { type: 'doc', content }
}

function addItem(content: RichText['content'], type: 'bullet_list' | 'ordered_list', inlines: Inline[]) {
  const item = { type: 'list_item' as const, content: [{ type: 'paragraph' as const, content: inlines }] }
  const last = content.at(-1)
  if (last?.type === type) last.content.push(item)
  else content.push({ type, content: [item] })
}

/** Reads `**strong**`, `[link](address)` and `{fact}`. */
function readInlines(line: string): Inline[] {
  const parts = line.split(/(\*\*.+?\*\*|\[.+?\]\(.+?\)|\{.+?\})/)
  return parts.filter(part => part !== '').map(readInline)
}

function readInline(part: string): Inline {
  const [, strong, label, href, fact] = /^(?:\*\*(.+)\*\*|\[(.+)\]\((.+)\)|\{(.+)\})$/.exec(part) ?? []
  if (fact) return { type: 'fact', attrs: { name: fact } }
  if (strong) return { type: 'text', text: strong, marks: [{ type: 'strong' }] }
  if (label && href) return { type: 'text', text: label, marks: [{ type: 'link', attrs: { href } }] }
  return { type: 'text', text: part }
}
