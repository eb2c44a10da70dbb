import type { Content } from '../content/schema.ts'
import { CONSUMER_GUIDE } from '../content/site-content.ts'
import { AS_AT, figure, sources, subclass188 } from './sources.server.ts'
import { visaCategories } from './visas.server.ts'

/** The pages' claims about the agency and the law. The first two are the agency's own, to prove or to remove. */
const claims: Content['claims'] = [
  {
    kind: 'own',
    label: 'Visa approval rate',
    value: '95%',
    // Example figure: replace it before you go live.
    note: 'Past results do not predict yours.',
  },
  {
    kind: 'own',
    label: 'Support',
    value: '24/7',
    note: 'Send an enquiry at any hour. We answer in our office hours.',
  },
  {
    kind: 'sourced',
    label: 'Occupations on the Core Skills list',
    value: '456',
    asAt: AS_AT,
    source: sources.occupations,
  },
  {
    kind: 'sourced',
    label: 'Age, subclass 186, unless exempt',
    value: 'Under 45',
    asAt: AS_AT,
    source: sources.employer,
  },
  {
    kind: 'sourced',
    label: 'Work, subclass 186, Direct Entry',
    value: 'At least three years',
    asAt: AS_AT,
    source: sources.employer,
  },
  {
    kind: 'closed-programme',
    label: 'Minimum investment, Investor stream',
    value: 'AUD 2.5 million',
    asAt: AS_AT,
    source: sources.business,
    programme: subclass188,
  },
  {
    kind: 'closed-programme',
    label: 'Minimum investment, Significant Investor stream',
    value: 'AUD 5 million',
    asAt: AS_AT,
    source: sources.business,
    programme: subclass188,
  },
  {
    kind: 'closed-programme',
    label: 'Length of the provisional visa, subclass 188',
    value: 'Up to five years',
    asAt: AS_AT,
    source: sources.business,
    programme: subclass188,
  },
]

const company: Content['company'] = {
  siteName: 'Landfall Migration',
  legalName: 'Landfall Migration Pty Ltd',
  abn: '00 000 000 000',
  address: ['Level 0, 000 Sample Street', 'Sydney NSW 2000', 'Australia'],
  timeZone: 'Australia/Sydney',
  location: { latitude: -33.8688, longitude: 151.2093 },
  phone: '+61 2 5550 0000',
  email: 'hello@landfall.example',
  chat: { network: 'WeChat', handle: 'landfall-sample' },
}

const slides: Content['slides'] = [
  {
    image: 'harbour',
    title: 'Australian Immigration Specialists',
    description: 'Expert immigration consultation, in plain words. Asking costs nothing.',
    buttonText: 'Contact Us',
    buttonLink: '/contact',
  },
  {
    image: 'red-centre',
    title: 'Professional Legal Support',
    description: 'Immigration law changes often. We find the way through it with you, one step at a time.',
    buttonText: 'Contact Us',
    buttonLink: '/contact',
  },
  {
    image: 'rainforest-coast',
    title: 'Visa Application Success',
    description: 'Streamlined visa processing: the right forms and evidence, checked before they are sent.',
    buttonText: 'Contact Us',
    buttonLink: '/contact',
  },
]

/** The texts of the public pages. People and numbers are samples: an agency replaces them with its own. */
export const sampleContent: Content = {
  company,
  agent: {
    name: 'Alex Sample',
    title: 'Principal migration agent',
    registrationNumber: '0000000',
    portraitUrl: null,
    heading: 'One person, from the first question to the decision',
    introduction: [
      'Alex reads every enquiry that reaches this office, and says plainly whether a visa is within reach before you pay for anything.',
      'If we do not think a visa is right for you, we say so, and we say why. No agent can promise a visa: the Department decides.',
    ],
    founderProfile: [
      'Alex Sample founded this office to do one thing well: to explain people’s options, and then to help them get there.',
      'Before that, Alex sat on the other side of the counter, as an applicant, with forms that were hard to read and easy to get wrong. That is why our emails are short and our lists are complete.',
      'Alex checks every application before it leaves this office, and answers for it.',
    ],
    languages: ['English', 'Mandarin', 'Hindi'],
  },
  hours: [
    { days: 'Monday to Friday', time: '9am–6pm' },
    { days: 'Saturday', time: '10am–2pm, by appointment only' },
    { days: 'Sunday', time: 'Closed' },
  ],
  openingHours: [
    { days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'], opens: '09:00', closes: '18:00' },
  ],
  slides,
  visaCategories,
  services: [
    {
      title: 'Written opinion',
      description: 'We read your papers, and say in writing what your plan needs and what is missing.',
    },
    {
      title: 'Application',
      description: 'Forms, evidence and lodgement, each paper checked before it is sent.',
    },
    {
      title: 'Representation',
      description: 'We answer the Department on your behalf until there is a decision.',
    },
    {
      title: 'Employer sponsorship',
      description: 'Sponsorship, nomination and visa, prepared together for you and your employer.',
    },
    {
      title: 'Second opinion',
      description: 'We read a refusal or a notice from the Department, and explain what you can still do.',
    },
    {
      title: 'Visa check',
      description: 'We look over the visa you hold: its conditions, its end date and your next step.',
    },
  ],
  process: [
    {
      title: 'You ask',
      description: 'Write in your own words. A minute is enough.',
      cost: 'Nothing',
      payment: 'to pay',
    },
    {
      title: 'We answer',
      description: 'In our office hours: which visas are worth reading about, and which are not.',
      cost: 'Nothing',
      payment: 'to pay',
    },
    {
      title: 'You agree to a fee',
      description: 'In writing, with GST and every step listed, before any work begins.',
      cost: 'Our fee',
      payment: 'as agreed, with GST',
    },
    {
      title: 'We prepare and lodge',
      description: 'We check your evidence, lodge, and answer the Department until it decides.',
      cost: 'Visa charge',
      payment: 'to the Department',
    },
  ],
  testimonials: [
    {
      quote: 'They showed us which papers were missing before we sent anything. There were no surprises.',
      name: 'Jordan Sample',
      visaType: 'Partner visa, subclasses 820 and 801',
      avatarUrl: null,
    },
    {
      quote:
        'I asked three questions and got three clear answers, in writing, with what each step would cost.',
      name: 'Priya Placeholder',
      visaType: 'Skilled Nominated visa, subclass 190',
      avatarUrl: null,
    },
    {
      quote: 'My employer and I worked from one list, so we both knew what came next.',
      name: 'Wei Example',
      visaType: 'Employer Nomination Scheme, subclass 186',
      avatarUrl: null,
    },
  ],
  claims,
  codeOfConduct:
    'The Migration Agents Code of Conduct sets out what you may expect of us, and the Consumer Guide explains it in plain words.',
  links: [
    {
      label: 'Register of migration agents',
      url: 'https://portal.mara.gov.au/search-the-register-of-migration-agents/',
    },
    { label: 'Consumer Guide', url: CONSUMER_GUIDE },
    { label: 'Department of Home Affairs', url: 'https://immi.homeaffairs.gov.au/' },
    { label: 'All visas', url: sources.family.url },
    { label: 'Code of Conduct', url: sources.codeOfConduct.url },
  ],
  collectionNotice: {
    title: 'What happens to what you send',
    points: [
      {
        question: 'What do we keep?',
        answer:
          'Your name, email, phone number and message, the kind of visa you ask about, and when you wrote.',
      },
      {
        question: 'Who reads it?',
        answer: 'The people who work in this office. We do not sell it, and we send no advertising.',
      },
      {
        question: 'How long do we keep it?',
        answer:
          'Until your question is settled and we no longer need it, or until you ask us to erase it. If you become our client, your message joins your file, and the Code of Conduct says how long we must keep that.',
      },
      {
        question: 'How do I have it erased?',
        answer:
          'Write to us with the form on the contact page, and give your reference number. You may also ask to see or correct what we hold.',
      },
    ],
    figures: [
      figure('A client file is kept', 'Seven years after the last work on it', sources.codeOfConduct),
    ],
  },
  disclaimer: 'This site gives general information, not legal advice.',
  version: '20250711.0',
}
