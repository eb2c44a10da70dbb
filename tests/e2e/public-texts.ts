/** Sections 1, 2, 5 and 9 of the specification, as far as a visitor reads them: each text, by the page that shows it. */
interface PublicText {
  readonly page: '/' | '/about-us' | '/contact' | '/no-such-page'
  /** Where in the specification it is called for. */
  readonly calledFor: string
  readonly texts: readonly string[]
}

export const publicTexts: readonly PublicText[] = [
  {
    page: '/',
    calledFor: 'visa categories, with the programmes that are closed and what took their place',
    texts: [
      'Visa categories',
      'Family migration',
      'General skilled migration',
      '189',
      '190',
      '491',
      'Business visas',
      'Employer nomination',
      '186',
      'Skills in demand',
      '482',
      'Investor stream',
      'Business innovation stream',
      'Significant investor stream',
      '188',
      'Closed',
      'No new applications since 31 July 2024',
      '888',
      '858',
    ],
  },
  {
    page: '/',
    calledFor: 'content claims',
    texts: [
      '456',
      'AUD 2.5 million',
      'AUD 5 million',
      'Up to five years',
      'Under 45',
      'At least three years',
    ],
  },
  {
    page: '/about-us',
    calledFor: 'content claims about the agency',
    texts: ['95%', 'Visa approval rate', '24/7', 'Support'],
  },
  { page: '/', calledFor: 'agent introduction', texts: ['Your agent', 'Alex Sample', 'MARN 0000000'] },
  { page: '/', calledFor: 'services list', texts: ['Services', 'Written opinion', 'Representation'] },
  {
    page: '/',
    calledFor: 'three static testimonials: quote, name, visa type',
    texts: [
      '“They showed us which papers were missing before we sent anything. There were no surprises.”',
      'Jordan Sample',
      'Partner visa, subclasses 820 and 801',
      'Priya Placeholder',
      'Skilled Nominated visa, subclass 190',
      'Wei Example',
      'Employer Nomination Scheme, subclass 186',
    ],
  },
  ...(['/', '/about-us', '/contact'] as const).flatMap((page): PublicText[] => [
    {
      page,
      calledFor: 'Get In Touch: contact details, and the form with its three variants',
      texts: [
        'Get In Touch',
        'General enquiry',
        'Visa assessment',
        'Track my application',
        'Send enquiry',
        'Family Migration',
        'Skilled Migration',
        'Business Visa',
        'Investor Stream',
        'Other Visa Types',
      ],
    },
    {
      page,
      calledFor: 'address, phone, chat handle, e-mail, hours',
      texts: [
        'Level 0, 000 Sample Street, Sydney NSW 2000, Australia',
        '+61 2 5550 0000',
        'WeChat',
        'landfall-sample',
        'hello@landfall.example',
        'Monday to Friday: 9am–6pm',
        'Saturday: 10am–2pm, by appointment only',
      ],
    },
    {
      page,
      calledFor: 'footer: company, postal address, phone, email, handle, code of conduct, links, version',
      texts: [
        'Landfall Migration Pty Ltd',
        'MARN 0000000',
        'WeChat: landfall-sample',
        'Code of conduct',
        'Migration Agents Code of Conduct',
        'Quick links',
        'Register of migration agents',
        'Consumer Guide',
        'Version 20250711.0',
      ],
    },
  ]),
  {
    page: '/about-us',
    calledFor: 'agent introduction with registration number, founder profile, services, contact section',
    texts: [
      'About us',
      'MARN 0000000',
      'Why this office exists',
      'Alex Sample founded this office',
      'Services',
    ],
  },
  {
    page: '/contact',
    calledFor: 'heading, embedded map',
    texts: ['Contact us', 'Where we are', 'Show the map'],
  },
  {
    page: '/no-such-page',
    calledFor: 'not-found page',
    texts: ['404 Page Not Found', 'Did you forget to add the page to the router?'],
  },
]

/** The hero of the home page. */
export const slides = [
  { title: 'Australian Immigration Specialists', description: /Expert immigration consultation/ },
  { title: 'Professional Legal Support', description: /Immigration law/ },
  { title: 'Visa Application Success', description: /Streamlined visa processing/ },
]

/** Section 5: what the form says of a field that is not right, and the longest text that still is not. */
export const enquiryMistakes = [
  { label: 'Your name', mistaken: 'A', message: 'Name must be at least 2 characters', enough: 'Al' },
  {
    label: 'Email',
    mistaken: 'ana@mail',
    message: 'Please enter a valid email address',
    enough: 'ana@example.com',
  },
  { label: 'Phone', mistaken: '555010', message: 'Please enter a valid phone number', enough: '5550100' },
  {
    label: 'Message',
    mistaken: 'Nine char',
    message: 'Message must be at least 10 characters',
    enough: 'Ten chars.',
  },
]
