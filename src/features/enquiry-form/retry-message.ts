import type { FormTexts } from './form-texts.ts'

interface RetryTexts {
  /** BCP 47. */
  readonly lang: string
  readonly retry: FormTexts['labels']['retry']
}

/** Adds to a message when the enquiry can be sent again. @param seconds from `Retry-After`, if the server sent it */
export function retryMessage(
  message: string,
  seconds: number | undefined,
  { lang, retry }: RetryTexts,
): string {
  if (!message || !seconds) return message
  const minutes = Math.ceil(seconds / 60)
  const text = retry[pluralRules(lang).select(minutes)] ?? retry.other
  return `${message} ${text.replace('{minutes}', String(minutes))}`
}

/** Kept, because creating them takes longer than the rest of an answer to a client that sends too much. */
const rules = new Map<string, Intl.PluralRules>()

function pluralRules(lang: string): Intl.PluralRules {
  const known = rules.get(lang) ?? new Intl.PluralRules(lang)
  rules.set(lang, known)
  return known
}
