/** The languages that are recognised, by their codes of ISO 639-1: those of the smallest data of `eld`. */
export const languages = [
  ...(['am', 'ar', 'az', 'be', 'bg', 'bn', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'eu'] as const),
  ...(['fa', 'fi', 'fr', 'gu', 'he', 'hi', 'hr', 'hu', 'hy', 'is', 'it', 'ja', 'ka', 'kn', 'ko'] as const),
  ...(['ku', 'lo', 'lt', 'lv', 'ml', 'mr', 'ms', 'nl', 'no', 'or', 'pa', 'pl', 'pt', 'ro', 'ru'] as const),
  ...(['sk', 'sl', 'sq', 'sr', 'sv', 'ta', 'te', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'yo', 'zh'] as const),
] as const
export type LanguageCode = (typeof languages)[number]

/** Languages that are taken for one that is much like them. */
const alike: Partial<Record<LanguageCode, string>> = {
  hi: 'Hindi or Nepali',
  ms: 'Malay or Indonesian',
}

const names = new Intl.DisplayNames('en-AU', { type: 'language' })

/** In English, as staff read it. */
export const nameLanguage = (code: LanguageCode): string => alike[code] ?? names.of(code) ?? code

/** Characters of an alphabet. In a shorter text without any but A to Z, a name can decide. */
const MIN_PLAIN = 30
const ENGLISH = /\b(?:the|and|my|you|your|please|have|what|with|how|would|can|this|there|from|we|am)\b/gi

/**
 * The language of a text that is plain enough to say without a dictionary: null where it is too short, and undefined where only that can
 * say. Most enquiries are in plain English, and what knows sixty languages takes a browser as long to start as the whole inbox.
 */
export function languageAtOnce(text: string): 'en' | null | undefined {
  const characters = text.match(/\p{L}/gu) ?? []
  if (characters.some(character => character > '\u007f')) return characters.length < 4 ? null : undefined
  if (characters.length < MIN_PLAIN) return null
  const words = new Set(text.toLowerCase().match(ENGLISH))
  return words.size > 1 ? 'en' : undefined
}
