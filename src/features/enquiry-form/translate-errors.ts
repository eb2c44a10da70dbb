import type { FieldErrors } from './form-texts.ts'

/** Field errors of the API in the language of the page. @param translated what differs there, by the API's English text */
export function translateErrors(
  translated: Readonly<Record<string, string>>,
  errors: FieldErrors,
): FieldErrors {
  const pairs = Object.entries(errors).map(
    ([name, error = '']) => [name, translated[error] ?? error] as const,
  )
  return Object.fromEntries(pairs)
}
