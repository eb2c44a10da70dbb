import type { FieldErrors, FormTexts } from './form-texts.ts'

const names = ['name', 'email', 'phone', 'message'] as const

/**
 * What the browser's own constraint validation finds wrong, in the contract's words. A browser applies `minlength` only
 * to what was typed, so the length of the trimmed value is looked at too.
 */
export function findErrors(form: HTMLFormElement, { limits, messages }: FormTexts): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const name of names) {
    const control = form.elements.namedItem(name)
    if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) continue
    const least = name === 'email' ? 1 : limits[name].least
    if (!control.validity.valid || control.value.trim().length < least) errors[name] = messages[name]
  }
  return errors
}
