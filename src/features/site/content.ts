/** What the public pages say. An agency replaces these words with its own. */
export interface Content {
  readonly company: Company
  readonly agent: Agent
  readonly hours: readonly { readonly days: string; readonly time: string }[]
  /** The same for search engines: when the door is open to anyone, so not the hours by appointment. */
  readonly openingHours: readonly {
    readonly days: readonly string[]
    readonly opens: string
    readonly closes: string
  }[]
  readonly hero: { readonly title: string; readonly description: string }
  readonly visaCategories: readonly Summary[]
  readonly services: readonly Summary[]
  /** SPEC section 1: the code of conduct blurb of the footer. */
  readonly codeOfConduct: string
  readonly links: readonly { readonly label: string; readonly url: string }[]
  readonly version: string
}

interface Company {
  readonly siteName: string
  readonly legalName: string
  readonly address: readonly string[]
  readonly phone: string
  readonly email: string
  readonly chat: { readonly network: string; readonly handle: string }
}

interface Agent {
  readonly name: string
  readonly title: string
  /** MARN: seven digits, beside the agent's name wherever it stands. */
  readonly registrationNumber: string
  readonly introduction: readonly string[]
}

interface Summary {
  readonly title: string
  readonly description: string
}

export const content: Content = {
  company: {
    siteName: 'Landfall Migration',
    legalName: 'Landfall Migration Pty Ltd',
    address: ['Level 0, 000 Sample Street', 'Sydney NSW 2000', 'Australia'],
    phone: '+61 2 5550 0000',
    email: 'hello@landfall.example',
    chat: { network: 'WeChat', handle: 'landfall-sample' },
  },
  agent: {
    name: 'Alex Sample',
    title: 'Principal migration agent',
    registrationNumber: '0000000',
    introduction: [
      'Alex reads every enquiry that reaches this office, and tells you plainly whether a visa is within reach before you pay for anything.',
      'You deal with one person from the first question to the decision, in writing, with every fee agreed beforehand.',
    ],
  },
  hours: [
    { days: 'Monday to Friday', time: '9am–6pm' },
    { days: 'Saturday', time: '10am–2pm, by appointment only' },
    { days: 'Sunday', time: 'Closed' },
  ],
  openingHours: [
    { days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'], opens: '09:00', closes: '18:00' },
  ],
  hero: {
    title: 'Australian Immigration Specialists',
    description: 'Expert immigration consultation, in plain words, from a registered migration agent.',
  },
  visaCategories: [
    {
      title: 'Family migration',
      description: 'Partners, children, parents and carers of Australians and permanent residents.',
    },
    {
      title: 'General skilled migration',
      description: 'Subclasses 189, 190 and 491: points-tested visas, by invitation.',
    },
    {
      title: 'Skills in demand',
      description: 'Subclass 482: work for an approved sponsor for up to four years.',
    },
    {
      title: 'Employer nomination',
      description: 'Subclass 186: permanent residence with an employer who nominates you.',
    },
  ],
  services: [
    {
      title: 'Visa assessment',
      description: 'What you qualify for, what it takes and how long it is likely to be.',
    },
    { title: 'Application', description: 'Forms, evidence and lodgement, checked by a registered agent.' },
    {
      title: 'Representation',
      description: 'We answer the Department on your behalf until there is a decision.',
    },
  ],
  codeOfConduct:
    'Registered migration agents are bound by the Migration Agents Code of Conduct. It sets out what you may expect of us, and the Consumer Guide explains it in plain words.',
  links: [
    {
      label: 'Register of migration agents',
      url: 'https://portal.mara.gov.au/search-the-register-of-migration-agents/',
    },
    { label: 'Consumer Guide', url: 'https://www.mara.gov.au/get-help-visa-subsite/consumer-guide' },
    { label: 'Department of Home Affairs', url: 'https://immi.homeaffairs.gov.au/' },
  ],
  version: '20250711.0',
}
