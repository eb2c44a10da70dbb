import type { Plural } from './form-texts.ts'

interface RetryTexts {
  /** BCP 47. */
  readonly lang: string
  readonly retry: Plural
}

/** Adds to a message when the enquiry can be sent again. @param seconds from `Retry-After`, if the server sent it */
export function retryMessage(message: string, seconds: number | undefined, { lang, retry }: RetryTexts) {
  if (!message || !seconds) return message
  const minutes = Math.ceil(seconds / 60)
  return `${message} ${choosePlural(retry, minutes, lang).replace('{minutes}', String(minutes))}`
}

export function choosePlural(texts: Plural, count: number, lang: string): string {
  return texts[pluralRules(lang).select(count)] ?? texts.other
}

/** Kept, because creating them takes longer than the rest of an answer to a client that sends too much. */
const rules = new Map<string, Intl.PluralRules>()

function pluralRules(lang: string): Intl.PluralRules {
  const known = rules.get(lang) ?? new Intl.PluralRules(lang)
  rules.set(lang, known)
  return known
}
