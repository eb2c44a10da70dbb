import { emails } from './en/emails.ts'
import { detailLabels, enquiryForm, serviceLabels } from './en/enquiry-form.ts'
import { replies } from './en/replies.ts'
import * as site from './en/site.ts'
import * as status from './en/status.ts'

/** The texts of the API and the portal. They are English, whatever the language of a page. */
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
const en = {
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
  ...site,
  ...status,
  enquiryForm,
  serviceLabels,
  detailLabels,
  replies,
  emails,
}

/** Everything that pages say to visitors and emails to anyone, in one language. */
export type Texts = typeof en

export type Language = 'en'

/** The language of addresses that name none, and of emails to staff. */
export const DEFAULT_LANGUAGE: Language = 'en'

const languages: Readonly<Record<Language, Texts>> = { en }

/** The only place that knows the language modules. */
export function textsFor(language: Language): Texts {
  return languages[language]
}
