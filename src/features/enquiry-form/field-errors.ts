import type { FieldErrors, FormTexts } from './form-texts.ts'

const names = ['name', 'email', 'phone', 'message'] as const

/**
 * The errors that the browser's constraint validation finds, with the contract's messages. A browser applies
 * `minlength` only to what was typed, so the length of the trimmed value is checked as well.
 */
export function findErrors(form: HTMLFormElement, { limits, messages }: FormTexts): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const name of names) {
    const control = form.elements.namedItem(name)
    if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) continue
    const min = name === 'email' ? 1 : limits[name].min
    if (!control.validity.valid || control.value.trim().length < min) errors[name] = messages[name]
  }
  return errors
}
