import { en } from './en.ts'

/** The texts of the API and the portal. They are English, whatever the language of a page. */
export { detailLabels, headerTexts, messageTypeLabels, replies, serviceLabels } from './en.ts'

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
