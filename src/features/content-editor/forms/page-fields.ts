import {
  choice,
  type Field,
  group,
  kindOf,
  line,
  list,
  mixed,
  picture,
  plain,
  type Section,
  type VariantField,
} from './fields.ts'

/** The forms of documents that are a page of their own, and what visas have in common with the site. */

export const figures = list(
  'figures',
  'Figures',
  'figure',
  [line('label', 'What it is'), plain('fact', 'fact', 'Fact')],
  { hint: 'Numbers come from facts with a date and a source, and are never typed.' },
)

export const source = (name: string, label: string) =>
  group(name, label, [line('label', 'Title'), line('url', 'Address', { input: 'url' })])

const closed = [
  line('closedAfter', 'Last day of applications', { input: 'date' }),
  group('replacedBy', 'Replaced by', [
    line('title', 'Title'),
    plain('text', 'description', 'Description'),
    line('url', 'Address', { input: 'url' }),
  ]),
  line('asAt', 'As at', { input: 'date' }),
  source('source', 'Source'),
]

export const programme = {
  type: 'variant',
  name: 'programme',
  label: 'Programme',
  kinds: [kindOf('Open', { status: 'open' }, []), kindOf('Closed', { status: 'closed' }, closed)],
} as const satisfies VariantField

export const visaFields: readonly Field[] = [
  list('subclasses', 'Subclasses', 'subclass', [
    plain('lines', 'numbers', 'Numbers', 'Three digits, one on each line.'),
    line('name', 'Name'),
  ]),
  list('facts', 'In short', 'sentence', [plain('text', 'text', 'Sentence')], {
    hint: 'Two to four sentences without numbers.',
  }),
  figures,
  programme,
  source('more', 'Charges and waiting times'),
  choice('service', 'Service in the enquiry form', {
    family: 'Family',
    skilled: 'Skilled',
    business: 'Business',
    investor: 'Investor',
    other: 'Other',
  }),
]

const richText = plain('rich', 'text', 'Text')
const blocks = mixed('blocks', 'Text of the page', 'block', [
  kindOf('Text', { type: 'text' }, [richText]),
  kindOf('Questions and answers', { type: 'faq' }, [
    list('questions', 'Questions', 'question', [
      line('question', 'Question'),
      plain('rich', 'answer', 'Answer'),
    ]),
  ]),
  kindOf('Picture', { type: 'picture' }, [
    picture('picture', 'Picture', { isRequired: true }),
    line('caption', 'Caption', { nullable: true, hint: 'Shown below the picture. It may be left empty.' }),
  ]),
  kindOf('Table', { type: 'table' }, [
    line('caption', 'Caption', { hint: 'What the table shows. Readers see it above the table.' }),
    plain(
      'grid',
      'grid',
      'Cells',
      'Paste cells from a spreadsheet. The first column names the rows. A fact stands in a cell as its name in braces.',
    ),
  ]),
  kindOf('Callout', { type: 'callout' }, [
    choice('tone', 'Kind', { note: 'Note', important: 'Important' }),
    line('title', 'Title (optional)', { nullable: true, hint: 'Without one, it says Note or Important.' }),
    richText,
  ]),
  kindOf('Button', { type: 'button' }, [
    line('text', 'Text', { hint: 'Says where it leads, such as Read about fees.' }),
    line('address', 'Address', {
      isLink: true,
      hint: 'A page of this site, such as /fees, or a full address that starts with https://',
    }),
  ]),
  kindOf(
    'Quote',
    { type: 'quote' },
    [
      plain('text', 'text', 'Words', 'As they were said, without quotation marks.'),
      line('who', 'Who said it'),
      group('source', 'Source', [line('label', 'Title'), line('url', 'Address', { input: 'url' })], {
        noun: 'source',
      }),
    ],
    { source: null },
  ),
  kindOf('Enquiry form', { type: 'form' }, [
    choice(
      'kind',
      'Kind of enquiry',
      { contact: 'Contact', 'visa-assessment': 'Visa assessment', tracking: 'Application tracking' },
      'Chosen when the page opens. Visitors may choose another one.',
    ),
  ]),
])

const head: readonly Field[] = [
  line('title', 'Title'),
  line('path', 'Address', {
    hint: 'When you change it later, the address that visitors know still leads here.',
  }),
  plain('text', 'description', 'Summary', 'Search engines show it under the title.'),
]

export const socialPicture = picture('socialPicture', 'Picture where it is shared', {
  isCropped: true,
  hint: 'Messengers and social networks show it, 1200 × 630.',
})

export const search: Section = {
  title: 'Search and sharing',
  isSearch: true,
  fields: [
    line('searchTitle', 'Title in search results', {
      nullable: true,
      hint: 'Without one, the title of the page. The name of the site follows.',
    }),
    socialPicture,
  ],
}

export const pageForm: readonly Section[] = [{ title: 'Page', fields: [...head, blocks] }, search]
export const articleForm: readonly Section[] = [
  {
    title: 'Article',
    fields: [
      ...head,
      line('author', 'Author'),
      plain(
        'person',
        'agent',
        'Author from the team',
        'Takes the place of the name above, with portrait and number.',
      ),
      blocks,
    ],
  },
  search,
]

export const visaForm: readonly Section[] = [
  { title: 'Page', fields: [...head, blocks] },
  {
    title: 'The visa',
    fields: [
      plain(
        'person',
        'agent',
        'Who advises',
        'Somebody of the team, shown with portrait and number. With nobody, or somebody without a number, the page names the first agent.',
      ),
      line('cardTitle', 'Title on cards', { nullable: true, hint: 'Without one, the title of the page.' }),
      line('cardText', 'Sentence on cards', { nullable: true, hint: 'Without one, the summary.' }),
      ...visaFields,
    ],
  },
  search,
]
