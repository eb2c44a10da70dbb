import { MAX_SLIDES, MAX_TESTIMONIALS } from '../../../content/limits.ts'
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
} from './fields.ts'
import {
  agent,
  company,
  elsewhere,
  holidays,
  hours,
  portrait,
  replyHours,
  replyTarget,
  state,
  team,
} from './office-fields.ts'
import { figures, programme, search, socialPicture, source, visaFields } from './page-fields.ts'

const PAGE_HINT = 'A page of this site, such as /fees.'

const steps = list(
  'process',
  'Steps',
  'step',
  [
    line('title', 'Title'),
    plain('text', 'description', 'Description'),
    line('cost', 'What it costs', { hint: 'Such as: Nothing.' }),
    line('payment', 'How it is paid', { hint: 'Such as: to pay, or: to the Department.' }),
  ],
  { hint: 'Four at most. Without any, the home page leaves this part out.' },
)

const slides = list(
  'slides',
  'Slides',
  'slide',
  [
    line('title', 'Title'),
    plain('text', 'description', 'Description'),
    line('buttonText', 'Text of the button'),
    line('buttonLink', 'Address of the button', { isLink: true, hint: PAGE_HINT }),
    picture('picture', 'Picture', { isCropped: true, hint: 'It fills the slide, behind the text.' }),
    choice(
      'image',
      'Landscape',
      { harbour: 'Harbour', 'red-centre': 'Red centre', 'rainforest-coast': 'Rainforest coast' },
      'Shown while there is no picture.',
    ),
  ],
  {
    hint: `One to ${MAX_SLIDES}. Each is shown for 15 seconds.`,
    start: { buttonText: 'Contact Us', buttonLink: '/contact' },
  },
)

const testimonials = list(
  'testimonials',
  'Testimonials',
  'testimonial',
  [
    plain('text', 'quote', 'Quote'),
    line('name', 'Name'),
    line('visaType', 'Visa'),
    portrait,
    line('avatarUrl', 'Address of a portrait elsewhere', { nullable: true, hint: elsewhere }),
  ],
  {
    hint: `${MAX_TESTIMONIALS} at most. The first is shown largest. Only publish what a client has agreed to.`,
  },
)

const label = line('label', 'What it is')
const fact = plain('fact', 'fact', 'Fact')
const claims = mixed('claims', 'Claims', 'claim', [
  kindOf('From a source', { kind: 'sourced' }, [label, fact]),
  kindOf('Our own', { kind: 'own' }, [label, line('value', 'Value'), plain('text', 'note', 'Note')]),
  kindOf('Of a closed programme', { kind: 'closed-programme' }, [label, fact, programme], {
    programme: { ...programme.kinds[1].start, ...programme.kinds[1].is },
  }),
])

const pageLinks = (name: string, label: string) =>
  list(name, label, 'link', [
    line('label', 'Text'),
    line('path', 'Address', { isLink: true, hint: PAGE_HINT }),
  ])

const notice = group('collectionNotice', 'Privacy notice under the enquiry form', [
  line('title', 'Title'),
  list('points', 'Points', 'point', [line('question', 'Question'), plain('text', 'answer', 'Answer')]),
  figures,
])

const onHome = plain('check', 'isOnHome', 'Show on the home page')
const visas = mixed(
  'visaCategories',
  'Visas',
  'visa',
  [
    kindOf(
      'With a page',
      { kind: 'page' },
      [
        line('path', 'Its page', {
          isLink: true,
          hint: 'Such as /visas/student. What cards say is in its form.',
        }),
        onHome,
      ],
      { isOnHome: true },
    ),
    kindOf(
      'Without a page',
      { kind: 'described' },
      [onHome, line('title', 'Title'), plain('text', 'description', 'Description'), ...visaFields],
      { isOnHome: true, service: 'other' },
    ),
  ],
  {
    hint: 'In the order in which visitors see them on the home page, at /visas and in the visa finder. A published visa that is not in this list comes last, on the home page too.',
  },
)

const subclasses = (name: string, label: string) =>
  plain('lines', name, label, 'Subclass numbers with three digits, one on each line.')

const finder = list(
  'finderQuestions',
  'Questions',
  'question',
  [
    line('before', 'Words before the answer', {
      hint: 'All questions together are one text, such as I am …',
    }),
    list(
      'answers',
      'Answers',
      'answer',
      [
        line('label', 'Answer'),
        subclasses('visas', 'Visas to look at'),
        subclasses('leftOut', 'Visas to leave out'),
      ],
      { hint: 'The first answer is chosen when the page opens.' },
    ),
    line('after', 'Words after the answer', {
      nullable: true,
      hint: 'Such as a full stop. It may be left empty.',
    }),
  ],
  {
    hint: 'Visitors see each visa to look at that one of their answers names and none leaves out, in this order.',
  },
)

const section = (title: string, ...fields: readonly Field[]): Section => ({ title, fields })

const companyFields = (label: string, ...names: readonly string[]) =>
  group(
    'company',
    label,
    company.filter(({ name }) => names.includes(name)),
  )

const agencyFields = ['siteName', 'legalName', 'abn', 'phone', 'email', 'address', 'chat', 'whatsApp']

/** What a new site needs first, in three parts. */
export const firstSections = {
  agency: [section('Company', companyFields('Company', ...agencyFields))],
  agent: [section('Agent', group('agent', 'Agent', agent))],
  office: [
    section('Place', companyFields('Place', 'location', 'timeZone')),
    section('Hours', hours, state, replyHours),
  ],
} as const satisfies Record<string, readonly Section[]>

export const BRAND = 'brand'

const brand = group(
  BRAND,
  'Brand',
  [
    line('main', 'Main colour'),
    line('accent', 'Accent'),
    line('pairing', 'Type'),
    group('logo', 'Logo', [line('picture', 'Picture'), plain('check', 'isLight', 'Light')]),
  ],
  {
    screen: '/content?view=brand',
  },
)

export const siteForm: readonly Section[] = [
  section('Brand', brand),
  section('Slides', slides),
  section('Company', group('company', 'Company', company)),
  section('Agent', group('agent', 'Agent', agent)),
  section('Team', team),
  section('Hours', hours, state, holidays, replyHours, replyTarget),
  section('Visas', visas),
  section(
    'Visa finder',
    finder,
    group(
      'finderSource',
      'Where the answers come from',
      [
        line('asAt', 'As at', { input: 'date' }),
        source('source', 'Source'),
        line('checkedBy', 'Checked by', {
          nullable: true,
          hint: 'Who of your agency has checked each answer. Shown below the visas.',
        }),
      ],
      { noun: 'source' },
    ),
    pageLinks('finderStarts', 'Links for other visitors'),
  ),
  section(
    'Services',
    list('services', 'Services', 'service', [
      line('title', 'Title'),
      plain('text', 'description', 'Description'),
    ]),
  ),
  section('How it works', steps),
  section('Testimonials', testimonials),
  section('Claims', claims),
  section('Menus', pageLinks('menu', 'Menu'), pageLinks('footerPages', 'Pages in the footer')),
  section(
    'Footer',
    plain('text', 'codeOfConduct', 'Code of conduct'),
    list('links', 'Quick links', 'link', [line('label', 'Text'), line('url', 'Address', { input: 'url' })]),
    plain('text', 'disclaimer', 'Disclaimer'),
    line('version', 'Version of the texts'),
  ),
  section('Privacy', notice),
  {
    ...search,
    fields: [
      group(
        'home',
        'Home page',
        [
          line('title', 'Title in search results', {
            nullable: true,
            hint: 'Without one, that of the first slide.',
          }),
          line('description', 'Summary', {
            nullable: true,
            hint: 'Without one, the text of the first slide.',
          }),
        ],
        { noun: 'own words' },
      ),
      socialPicture,
    ],
  },
]
