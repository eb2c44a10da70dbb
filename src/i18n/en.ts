import { emails } from './en/emails.ts'
import { detailLabels, enquiryForm, serviceLabels } from './en/enquiry-form.ts'
import { replies } from './en/replies.ts'
import {
  aboutUs,
  agent,
  carousel,
  claims,
  contact,
  contactDetails,
  footer,
  header,
  home,
  layout,
  map,
  notFound,
  process,
  received,
  reply,
  services,
  testimonials,
  visas,
} from './en/site.ts'

/** The texts around a document on its page, and of the lists of documents. */

const documents = {
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

const visaIndex = {
  heading: 'Visas',
  description: 'The visas that we help with: what each asks of you, and which are closed.',
  lead: 'Find the visa that sounds like your plan, and read what it asks of you.',
  ask: 'Not sure which visa is yours?',
}

const visaPage = {
  open: 'Open to applications',
  asAt: (date: string) => `as at ${date}`,
  others: (count: number) => `+\u00A0${count} more`,
  glance: 'At a glance',
  know: 'What to know',
  reach: 'Is it in reach for you?',
  related: 'Related visas',
}

const news = {
  heading: 'News',
  description: 'What has changed in Australian migration, in plain words.',
  lead: 'What has changed in Australian migration, in plain words.',
  empty: <T>(visas: T) => ['There is no news yet. Meanwhile, read about ', visas, '.'],
  visas: 'the visas that we help with',
  by: (author: string) => `By ${author}.`,
  published: (date: string) => `Published ${date}.`,
  changed: (published: string, changed: string) => `Published ${published}, changed ${changed}.`,
  next: 'Read next',
  sources: 'Sources',
  ask: 'Ask about your case',
  feed: (siteName: string) => `News from ${siteName}`,
}

/** The upper half of the home page. */

/** Who answers, in which languages, and when. */
const trust = {
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

const finder = {
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
  ask: 'Ask us which one suits you',
  askPlan: 'Ask us about this plan',
  checkedBy: (name: string) => `Checked by ${name}.`,
}

export { messageTypeLabels } from './en/emails.ts'
export { header as headerTexts } from './en/site.ts'
export { detailLabels, replies, serviceLabels }

interface Script {
  /** BCP 47, for `lang` in documents and emails. */
  readonly lang: string
  readonly direction: 'ltr' | 'rtl'
}

const script: Script = { lang: 'en-AU', direction: 'ltr' }

// Marked pure, so that a browser bundle that needs a few texts only leaves the rest out.
const dateFormat = /* @__PURE__ */ new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'UTC' })
const listFormat = /* @__PURE__ */ new Intl.ListFormat('en-AU')

/** Australian English. */
export const en = {
  ...script,
  /** `2026-07-01` → `1 July 2026`. */
  date: (isoDate: string) => dateFormat.format(new Date(isoDate)),
  list: (items: readonly string[]) => listFormat.format(items),
  /** `6 pm`, `9:30 am`, with a space that does not break. */
  time: (moment: Date, timeZone: string) =>
    moment
      .toLocaleTimeString('en-AU', { timeZone, hour: 'numeric', minute: '2-digit' })
      .replace(':00', '')
      .replace(/\s/, '\u00A0'),
  /** `Monday 23 November`. */
  day: (moment: Date, timeZone: string) =>
    moment
      .toLocaleDateString('en-AU', { timeZone, weekday: 'long', day: 'numeric', month: 'long' })
      .replace(',', ''),
  openUntil: (time: string) => `Open until ${time}`,
  opens: (day: string, time: string) => `Opens ${day}, ${time}`,
  layout,
  header,
  footer,
  home,
  carousel,
  trust,
  finder,
  visas,
  claims,
  agent,
  process,
  services,
  testimonials,
  aboutUs,
  contact,
  contactDetails,
  map,
  reply,
  notFound,
  received,
  documents,
  visaIndex,
  visaPage,
  news,
  enquiryForm,
  serviceLabels,
  detailLabels,
  replies,
  emails,
}
