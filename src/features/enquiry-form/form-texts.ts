import type { Texts } from '../../i18n/texts.ts'

/** A text for each plural of the language, see `Intl.PluralRules`. */
export type Plural = Texts['enquiryForm']['tooLong']

/** The texts of the form in the page's language, in the page. */
export interface FormTexts {
  readonly labels: Texts['enquiryForm']['labels']
  readonly forms: readonly { readonly type: string; readonly label: string; readonly purpose: string }[]
  readonly groups: readonly FieldGroup[]
  /** What it costs to ask, and when the answer comes. */
  readonly note: string
  /** Sent in place of a token when there is no JavaScript. */
  readonly noScriptToken: string
}

/** Limits and texts for sending. A browser fetches them when somebody begins to write: most visitors only read. */
export interface SendTexts extends ErrorTexts {
  readonly labels: Texts['enquiryForm']['sendLabels']
  /** The path of each kind of enquiry. */
  readonly paths: Readonly<Record<string, string>>
  readonly receipt: Texts['enquiryForm']['receipt'] & Pick<Texts['received'], 'reference' | 'keep'>
  readonly received: { readonly title: string; readonly description: string }
  /** Null where the site makes no promise or has no office hours. */
  readonly answer: AnswerTimes | null
  /** Each reply of the API that differs in the page's language, with its text there. */
  readonly translated: Readonly<Record<string, string>>
  /** The bot check's site key, for when its settings cannot be fetched. */
  readonly siteKey: string
}

/** What decides whether a field is right, and says what is wrong. All by field name. */
export interface ErrorTexts {
  /** Of these texts, and of the numbers in them: what translates a page changes the language of the page. */
  readonly lang: string
  /** Characters. */
  readonly limits: Readonly<Record<string, { readonly min?: number; readonly max: number }>>
  /** Regular expressions of the call. */
  readonly formats: Readonly<Record<string, string>>
  /** Of a required field with nothing in it. */
  readonly empty: Readonly<Record<string, string>>
  readonly messages: Readonly<Record<string, string>>
  /** With `{over}` and `{max}`. */
  readonly tooLong: Plural
}

/** Where browsers fetch `SendTexts`. */
export const SEND_TEXTS_PATH = '/contact/form.json'

/** From what a browser works out when an answer comes. Times are in minutes, since the epoch where they are instants. */
export interface AnswerTimes {
  readonly start: number
  /** How long the office is closed from then on, how long it is open after that, and so on. */
  readonly spans: readonly number[]
  /** Office time within which an answer comes. */
  readonly target: number
  readonly timeZone: string
  readonly city: string
}

export interface FieldGroup {
  /** The only form that has them; every form without it. */
  readonly form?: string
  readonly legend?: string
  readonly hint?: string
  readonly fields: readonly Field[]
}

export interface Field {
  /** Of the call, or `details.` and the name of a detail. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Shown beside the label. */
  readonly optional?: string
  readonly kind: 'input' | 'select' | 'textarea'
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** Of the element, with the limits of the contract. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** By field name. */
export type FieldValues = Readonly<Record<string, string>>

/** Field name, or `recaptchaToken` → error message. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

export interface FormState {
  readonly formType: string
  readonly values?: FieldValues
  readonly errors?: FieldErrors
  /** An error that belongs to no field. */
  readonly error?: string
}
