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
  const text = retry[new Intl.PluralRules(lang).select(minutes)] ?? retry.other
  return `${message} ${text.replace('{minutes}', String(minutes))}`
}
