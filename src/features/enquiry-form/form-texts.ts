import type { Texts } from '../../i18n/texts.ts'

/** The contract's limits and the texts in the page's language: in the page, so that the browser loads neither for them. */
export interface FormTexts {
  readonly labels: Texts['enquiryForm']['labels']
  readonly forms: readonly { readonly type: string; readonly label: string; readonly path: string }[]
  readonly services: readonly { readonly value: string; readonly label: string }[]
  readonly limits: {
    readonly name: { readonly min: number; readonly max: number }
    readonly email: { readonly max: number }
    readonly phone: { readonly min: number; readonly max: number }
    readonly message: { readonly min: number; readonly max: number }
  }
  readonly messages: Readonly<Record<FieldName | 'recaptchaToken', string>>
  readonly received: { readonly title: string; readonly description: string }
  /** Each reply of the API that differs in the page's language, with its text there. */
  readonly translated: Readonly<Record<string, string>>
  /** The bot check's site key, for when its settings cannot be fetched. */
  readonly siteKey: string
  /** Sent in place of a token when there is no JavaScript. */
  readonly noScriptToken: string
}

export const fieldNames = ['name', 'email', 'phone', 'service', 'message'] as const
export type FieldName = (typeof fieldNames)[number]
export type FieldValues = Readonly<Record<FieldName, string>>

/** Field name, or `recaptchaToken` → error message. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

/** The initial state of the form. */
export interface FormState {
  readonly formType: string
  readonly values?: Readonly<Partial<FieldValues>>
  readonly errors?: FieldErrors
  /** An error that belongs to no field. */
  readonly error?: string
}
