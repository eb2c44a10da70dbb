import { eld } from 'eld/extrasmall'
import { type LanguageCode, languageAtOnce, languages } from './languages.ts'

/** By so much another language must be likelier than English, in which most enquiries are written. */
const MARGIN = 0.05

// Addresses of pages and people are in no language.
eld.enableTextCleanup(true)

/** The language of a text; null where that is not certain. */
export function detectLanguage(text: string): LanguageCode | null {
  const atOnce = languageAtOnce(text)
  if (atOnce !== undefined) return atOnce
  const result = eld.detect(text)
  if (!result.isReliable()) return null
  const { en = 0, [result.language]: best = 0 } = result.getScores()
  const isPlain = !/[^\P{L}a-z]/iu.test(text)
  if (isPlain && best - en < MARGIN) return en > 0 ? 'en' : null
  return languages.find(code => code === result.language) ?? null
}
