/**
 * The public pages, without what the agency itself writes. A text with an element in it, such as a link, is a list of its
 * pieces, because another language has another order; see `sentence`.
 */

export const layout = {
  skip: 'Skip to the content',
}

export const header = {
  home: 'Home',
  aboutUs: 'About Us',
  contact: 'Contact',
  login: 'Login',
  menu: 'Menu',
  main: 'Main',
  ask: 'Ask us',
}

export const footer = {
  company: (legalName: string, abn: string | null) =>
    abn === null ? legalName : `${legalName}, ABN\u00A0${abn.replaceAll(' ', '\u00A0')}`,
  agent: (name: string, registrationNumber: string) =>
    `${name}, registered migration agent, MARN\u00A0${registrationNumber}`,
  contact: 'Contact',
  codeOfConduct: 'Code of conduct',
  links: 'Quick links',
  pages: 'Pages of this site',
  version: (version: string) => `Version ${version}`,
}

export const home = {
  /** @param slide undefined in a draft without slides */
  title: (siteName: string, slide: string | undefined) => (slide ? `${siteName}: ${slide}` : siteName),
}

export const carousel = {
  label: 'What we do',
  /** Screen readers say it in place of "region". */
  carousel: 'carousel',
  slide: 'slide',
  position: (number: number, count: number) => `${number} of ${count}`,
  choose: (number: number, title: string) => `Slide ${number}: ${title}`,
  previous: 'Previous slide',
  next: 'Next slide',
  start: 'Start the slides',
  stop: 'Stop the slides',
  fits: 'See which visa fits',
}

export const visas = {
  heading: 'Visa categories',
  lead: 'Open one for what it asks of you, what to gather, and where the Department lists its charges.',
  closed: 'Closed to new applications',
  subclasses: (count: number) => (count === 1 ? 'Subclass' : 'Subclasses'),
  details: 'What to know',
  more: <T>(source: T) => ['Charges and waiting times change often. See ', source, '.'],
  read: 'Read about this visa',
  ask: 'Ask about this visa',
  all: 'All visas',
  closedSince: (date: string) => `Closed since ${date}.`,
  replacedBy: <T>(replacement: T, description: string) => [
    'Look at the ',
    replacement,
    ` instead: ${description}`,
  ],
  /** One row of the home page for all streams of a subclass. */
  closedBadge: 'Closed',
  closedSubclass: (numbers: string, isWhole: boolean) =>
    `${numbers.includes(',') ? 'Subclasses' : 'Subclass'} ${numbers}${isWhole ? ', all streams' : ''}`,
  closedList: <T>(date: string, visas: readonly T[]) => [
    `No new applications since ${date}: `,
    ...visas.flatMap((visa, at) => [at === 0 ? '' : at === visas.length - 1 ? ' and ' : ', ', visa]),
    '.',
  ],
  openInstead: (title: string) => `${title}: what is open instead`,
  closedClaim: <T>(label: string, value: T) => [`${label}: `, value, '. '],
}

/** First words of a value that is neither a name nor an abbreviation. */
const FIRST_WORD =
  /^(?:An?|The|About|After|At|Before|Between|From|Less|More|None|Nothing|Over|Under|Until|Up|Within|Without|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten)\b/

export const claims = {
  /** "At least three years" as it reads on within a sentence. */
  withinSentence: (value: string) => value.replace(FIRST_WORD, word => word.toLowerCase()),
  /** Takes the place of a figure that is no longer true. */
  ended: <T>(source: T) => ['(no longer current: see ', source, ')'],
  label: 'In figures',
  own: 'Our work in figures',
  asAt: <T>(date: string, source: T) => [`as at ${date}, `, source],
  sources: <T>(date: string, sources: readonly T[]) => [
    `As at ${date}. ${sources.length === 1 ? 'Source' : 'Sources'}: `,
    ...sources.flatMap((source, at) => [at === 0 ? '' : '; ', source]),
    '. ',
  ],
  change: 'Charges change often, so we link to them.',
}

export const agent = {
  aboutUs: 'About us',
  yours: 'Your agent',
  registration: (title: string, registrationNumber: string) => `${title}, MARN\u00A0${registrationNumber}`,
  registered: 'Registration',
  number: (registrationNumber: string) => `MARN\u00A0${registrationNumber}`,
  languages: 'Languages',
  check: 'Check it yourself',
  register: 'Public register of agents',
  founder: 'Why this office exists',
}

export const team = {
  heading: 'Our team',
  lead: 'The people who read your question and answer it. Each migration agent has a registration number (MARN), which you can look up in the public register.',
  meet: 'Meet the team',
  /** Above the name, on a page about a visa. */
  adviser: 'Who advises on this',
}

export const process = {
  heading: 'How it works, and what it costs',
  lead: 'You know the price of each step before you take it.',
  more: 'Every step',
  fees: 'Our fees',
}

export const services = { heading: 'Services' }

export const testimonials = {
  heading: 'What clients say',
  quote: (words: string) => `“${words}”`,
}

export const aboutUs = {
  title: (siteName: string) => `About us | ${siteName}`,
  description: (agentName: string | null) =>
    agentName === null
      ? 'Who reads your question, and how this office works.'
      : `${agentName}, registered migration agent, and how this office works.`,
  visit: 'Come and see us',
}

export const contact = {
  title: (siteName: string) => `Contact us | ${siteName}`,
  description: 'Send an enquiry, or find our address, phone, email and office hours.',
  heading: 'Contact us',
  /** @param agent null until both are confirmed @param answers when an answer comes; null where that is not known */
  lead: (agent: string | null, registrationNumber: string | null, answers: string | null) =>
    [
      'It costs nothing to ask.',
      agent !== null && registrationNumber !== null
        ? `${agent}, registered migration agent, MARN\u00A0${registrationNumber}, reads every enquiry.`
        : 'A person reads every enquiry.',
      ...(answers ? [`${answers}.`] : []),
    ].join(' '),
  form: 'Send an enquiry',
  where: 'Where we are',
}

export const contactDetails = {
  address: 'Address',
  phone: 'Phone',
  email: 'Email',
  hours: 'Hours',
  period: (days: string, time: string) => `${days}: ${time}`,
  now: 'Now',
  anyHour: 'Write at any hour; we answer in these.',
  whatsApp: 'WhatsApp',
  languages: 'Languages',
}

/** When an answer comes, and what happens until then. */
export const reply = {
  /** @param target such as "within one working day" */
  within: (agent: string | null, target: string) => `${agent ?? 'A person'} answers ${target}`,
  inHours: 'We answer in our office hours',
  hours: (time: string) => `We answer in our office hours, ${time}.`,
  /** Office hours within which an answer comes: an aim, and no promise. */
  aim: (hours: number, time: string) =>
    `We aim to answer within ${hours} office ${hours === 1 ? 'hour' : 'hours'}, ${time}.`,
  /** @param zone such as Sydney time */
  by: (moment: string, zone: string) => `We aim to answer by ${moment}, ${zone}.`,
  atOnce: 'At once',
  reference: 'You get a reference.',
  now: 'Next',
  reader: (agent: string) => `${agent} reads it.`,
  /** While no agent is named. */
  read: 'A person reads it.',
  answer: 'Then we answer',
  decide: 'Then you decide',
  free: 'An enquiry commits you to nothing.',
}

export const map = {
  show: 'Show the map',
  loading: 'Loading the map …',
  failed: 'The map did not load. Some networks block OpenStreetMap. Our address is on this page.',
  title: 'Map of our office',
  open: 'Open in OpenStreetMap',
}

export const notFound = {
  title: '404 Page Not Found',
  lead: 'Did you forget to add the page to the router?',
  startAgain: <T>(home: T, contact: T) => [
    'The address may be mistyped, or the page has moved. Start again from the ',
    home,
    ', or ',
    contact,
    '.',
  ],
  home: 'home page',
  contact: 'ask us',
  places: 'Where most people go',
}

/** The page after a form was sent without JavaScript. */
export const received = {
  title: 'Request submitted',
  reference: 'Your reference',
  keep: 'Please keep it: with it we find your enquiry at once.',
  home: 'Back to the home page',
}

/** The texts around a document on its page, and of the lists of documents. */
export const documents = {
  title: (title: string, siteName: string) => `${title} | ${siteName}`,
  breadcrumb: 'You are here',
  question: 'Still have a question?',
  reads: 'A registered migration agent reads every enquiry.',
  free: 'It costs nothing to ask.',
  ask: 'Ask us',
  contents: 'On this page',
  asAt: <T>(date: string, source: T) => [`As at ${date}, `, source],
  callouts: { note: 'Note', important: 'Important' },
}

export const visaIndex = {
  heading: 'Visas',
  description: 'The visas that we help with: what each asks of you, and which are closed.',
  lead: 'Find the visa that sounds like your plan, and read what it asks of you.',
  ask: 'Not sure which visa is yours?',
}

export const visaPage = {
  open: 'Open to applications',
  asAt: (date: string) => `as at ${date}`,
  others: (count: number) => `+\u00A0${count} more`,
  glance: 'At a glance',
  know: 'What to know',
  reach: 'Is it in reach for you?',
  related: 'Related visas',
}

export const news = {
  heading: 'News',
  description: 'What has changed in Australian migration, in plain words.',
  lead: 'What has changed in Australian migration, in plain words.',
  empty: <T>(visas: T) => ['There is no news yet. Meanwhile, read about ', visas, '.'],
  visas: 'the visas that we help with',
  by: (author: string) => `By ${author}.`,
  /** Above a name, on an article. */
  writer: 'Who wrote this',
  published: (date: string) => `Published ${date}.`,
  changed: (published: string, changed: string) => `Published ${published}, changed ${changed}.`,
  next: 'Read next',
  sources: 'Sources',
  ask: 'Ask about your case',
  feed: (siteName: string) => `News from ${siteName}`,
}

/** Who answers, in which languages, and when. */
export const trust = {
  label: 'Who answers you',
  registered: 'Registered agent',
  agent: (name: string, registrationNumber: string) => `${name}, MARN\u00A0${registrationNumber}`,
  languages: (count: number) =>
    `${['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'][count] ?? count} ${count === 1 ? 'language' : 'languages'}`,
  opens: (days: string, time: string) => `${days}, ${time}`,
  zone: (city: string) => `${city} time`,
  offset: (offset: string) => `GMT${offset} today`,
  /** # stands for what the visitor's clock says: the time, or hours such as 5¼. */
  now: (city: string) => `# in ${city}`,
  ahead: ['# hour ahead of you', '# hours ahead of you'],
  behind: ['# hour behind you', '# hours behind you'],
  same: 'The same time as yours',
}

/** The questions of a new installation, by id. */
const finderQuestions: Record<string, string> = {
  where: 'where you are',
  plan: 'what you hope to do',
  age: 'your age',
  stay: 'how long you would like to stay',
}

export const finder = {
  /** Names a field. The sentence alone names two of them "I am". @param number from 1 */
  question: (before: string, id: string, number: number) =>
    `${before}: ${finderQuestions[id] ?? `question ${number}`}`,
  heading: 'Which visa fits your plan?',
  show: 'Show visas to look at',
  privacy: 'No name, no email. Nothing is kept.',
  starts: 'Or start from where you stand',
  count: (count: number) =>
    count === 0
      ? 'No visa to look at yet'
      : `${['One visa', 'Two visas', 'Three visas', 'Four visas'][count - 1] ?? `${count} visas`} to look at`,
  plan: 'for this plan',
  none: 'No visa on this site fits these answers. Ask us, and we look further.',
  advice: <T>(ask: T) => ['A list to read, not advice. ', ask],
  ask: (count: number) => (count === 1 ? 'Ask us whether it suits you' : 'Ask us which one suits you'),
  changed: 'Your answers have changed. Press the button to see the visas for them.',
  askPlan: 'Ask us about this plan',
  checkedBy: (name: string) => `Checked by ${name}.`,
}
