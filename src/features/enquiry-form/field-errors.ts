import { find } from './field-values.ts'
import type { ErrorTexts, FieldErrors } from './form-texts.ts'
import { choosePlural } from './retry-message.ts'

/**
 * Everything that is wrong in a form, with the texts of the page. Lengths are counted here: a browser cuts what is longer
 * than `maxlength`, so the fields have none.
 */
export function findErrors(form: HTMLFormElement, texts: ErrorTexts): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const { name, value, validity } of find(form, '.control:enabled')) {
    const error = describeLength(name, value, texts) ?? describeFormat(name, value, validity, texts)
    if (error) errors[name] = error
  }
  return errors
}

/** A browser accepts more than the call does, such as `ana@mail` as an email address. */
function describeFormat(
  name: string,
  value: string,
  validity: ValidityState,
  { formats, messages }: ErrorTexts,
): string | undefined {
  const isRight = validity.valid && new RegExp(formats[name] ?? '').test(value.trim())
  return isRight ? undefined : messages[name]
}

export function describeLength(
  name: string,
  value: string,
  { lang, limits, empty, messages, tooLong }: ErrorTexts,
): string | undefined {
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits[name] ?? {}
  const { length } = value.replaceAll('\r\n', '\n').trim()
  if (length === 0 && empty[name]) return empty[name]
  if (length < min) return messages[name]
  if (length <= max) return undefined
  const shown = (count: number) => count.toLocaleString(lang)
  const text = choosePlural(tooLong, length - max, lang)
  return text.replace('{over}', shown(length - max)).replace('{max}', shown(max))
}

/** Field errors of the API in the language of the page. @param translated what differs there, by the API's English text */
export function translateErrors(translated: Readonly<Record<string, string>>, errors: FieldErrors) {
  const pairs = Object.entries(errors).map(
    ([name, error = '']) => [name, translated[error] ?? error] as const,
  )
  return Object.fromEntries(pairs)
}
