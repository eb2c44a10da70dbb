/** The contract's rules and words, as the server put them into the page: the browser loads no schema for them. */
export interface FormTexts {
  readonly forms: readonly { readonly type: string; readonly label: string; readonly path: string }[]
  readonly services: readonly { readonly value: string; readonly label: string }[]
  readonly limits: {
    readonly name: { readonly least: number; readonly most: number }
    readonly email: { readonly most: number }
    readonly phone: { readonly least: number; readonly most: number }
    readonly message: { readonly least: number; readonly most: number }
  }
  readonly messages: Readonly<Record<FieldName | 'recaptchaToken', string>>
  readonly received: { readonly title: string; readonly description: string }
  /** Of the bot check, for when its settings cannot be asked. */
  readonly siteKey: string
  /** What goes in place of a token when the form is sent without JavaScript. */
  readonly noScriptToken: string
}

export const fieldNames = ['name', 'email', 'phone', 'service', 'message'] as const
export type FieldName = (typeof fieldNames)[number]
export type FieldValues = Readonly<Record<FieldName, string>>

/** Name of a field, or of the bot check's token → what is wrong with it. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

/** What the form shows at first. */
export interface FormState {
  readonly formType: string
  readonly values?: Readonly<Partial<FieldValues>>
  readonly errors?: FieldErrors
  /** What went wrong beside the fields. */
  readonly error?: string
}
