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
