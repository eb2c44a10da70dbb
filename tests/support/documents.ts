import { content, type NewDocument } from '../../src/features/content-editor/contract.ts'
import type { Browser } from './browser.ts'

/** Stored texts: https://prosemirror.net/docs/ref/#model.Node.toJSON */
const run = (text: string) => ({ type: 'text', text })
export const paragraph = (text: string) => ({ type: 'paragraph', content: [run(text)] })
export const heading = (text: string) => ({ type: 'heading', attrs: { level: 2 }, content: [run(text)] })
export const doc = (...nodes: readonly object[]) => ({ type: 'doc', content: nodes })
const list = (...items: readonly string[]) => ({
  type: 'bullet_list',
  content: items.map(text => ({ type: 'list_item', content: [paragraph(text)] })),
})
/** A fact that every installation has. */
const POINTS = 'general-skilled-migration-pass-mark'

const withFact = {
  type: 'paragraph',
  content: [run('The pass mark is '), { type: 'fact', attrs: { name: POINTS } }, run('.')],
}

const LONG =
  'Gather references that name your dates, your hours and your duties. Ask for them early, while you still work there, and keep the originals.'

/** Two texts and a list of questions, as long as a page usually is. */
function blocks() {
  return [
    {
      id: 'text-1',
      type: 'text',
      text: doc(
        heading('Who it is for'),
        paragraph('People whose employer wants to keep them.'),
        list('You have a year of relevant work.', 'The pay meets the threshold of the stream.'),
        heading('What to gather'),
        ...Array.from({ length: 4 }, () => paragraph(LONG)),
        withFact,
        heading('Questions'),
      ),
    },
    {
      id: 'faq-1',
      type: 'faq',
      questions: ['When do I pay?', 'What if I change my mind?'].map((question, at) => ({
        id: `question-${at}`,
        question,
        answer: doc(paragraph('After you have signed a written agreement that lists every step.')),
      })),
    },
  ]
}

const page = (path: string, title: string) => ({
  path,
  title,
  description: `What to know about this: ${title}.`,
  blocks: blocks(),
})

const closed = {
  status: 'closed',
  closedAfter: '2024-07-31',
  replacedBy: {
    title: 'National Innovation visa',
    description: 'It is by invitation.',
    url: 'https://immi.homeaffairs.gov.au/visas/getting-a-visa/visa-listing/national-innovation-visa-858',
  },
  asAt: '2026-07-01',
  source: { label: 'Department of Home Affairs', url: 'https://immi.homeaffairs.gov.au/' },
}

interface Visa {
  readonly path: string
  readonly title: string
  readonly numbers?: readonly string[]
  readonly isClosed?: boolean
}

export const bodies = {
  page: ({ path, title }: Pick<NewDocument, 'path' | 'title'>) => page(path, title),
  article: ({ path, title }: Pick<NewDocument, 'path' | 'title'>) => ({
    ...page(path, title),
    author: 'Alex Sample',
  }),
  visa: ({ path, title, numbers = ['482'], isClosed = false }: Visa) => ({
    ...page(path, title),
    subclasses: [{ id: 'subclass-1', name: title, numbers }],
    facts: ['It lasts up to four years.', 'You need a year of relevant work.'].map((text, at) => ({
      id: `fact-${at}`,
      text,
    })),
    figures: [{ id: 'figure-1', label: 'Pass mark', fact: POINTS }],
    programme: isClosed ? closed : { status: 'open' },
    more: { label: 'the Department’s page', url: 'https://immi.homeaffairs.gov.au/' },
    service: 'business',
  }),
}

interface Published {
  readonly id: string
  readonly path: string
}

/** Publishes a document with a body of its kind. */
export async function publishDocument(
  browser: Browser,
  kind: NewDocument['kind'],
  shown: Visa,
  liveFrom?: string,
): Promise<Published> {
  const { path, title } = shown
  const { document } = await browser.call(content.create, { kind, path, title })
  await changeDocument(browser, document.id, bodies[kind](shown), liveFrom)
  return { id: document.id, path }
}

/** Publishes another body of a document. */
export async function changeDocument(browser: Browser, id: string, body: object, liveFrom?: string) {
  const { draft } = await browser.call(content.open, { id })
  const { revision } = await browser.call(content.saveDraft, {
    id,
    body: { ...body },
    revision: draft.revision,
  })
  await browser.call(content.publish, { id, revision, ...(liveFrom && { liveFrom }) })
}
