import { find } from './field-values.ts'
import type { FieldErrors, FormTexts } from './form-texts.ts'

/**
 * The errors that the browser's constraint validation finds, with the contract's messages. A browser applies
 * `minlength` only to what was typed, so the length of the trimmed value is checked as well.
 */
export function findErrors(form: HTMLFormElement, { messages }: FormTexts): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const control of find(form, '.control:enabled')) {
    const min = 'minLength' in control ? control.minLength : 0
    if (!control.validity.valid || control.value.trim().length < min)
      errors[control.name] = messages[control.name]
  }
  return errors
}
