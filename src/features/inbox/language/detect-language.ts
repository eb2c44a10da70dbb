import { eld } from 'eld/extrasmall'
import { type LanguageCode, languages } from './languages.ts'

/** Characters. In a shorter text without any but A to Z, a name can decide. */
const MIN_PLAIN = 30
const MIN_CHARACTERS = 4
/** By so much another language must be likelier than English, in which most enquiries are written. */
const MARGIN = 0.05

// Addresses of pages and people are in no language.
eld.enableTextCleanup(true)

/** The language of a text; null where that is not certain. */
export function detectLanguage(text: string): LanguageCode | null {
  const characters = text.match(/\p{L}/gu) ?? []
  const isPlain = characters.every(character => character < '\u0080')
  if (characters.length < (isPlain ? MIN_PLAIN : MIN_CHARACTERS)) return null
  const result = eld.detect(text)
  if (!result.isReliable()) return null
  const { en = 0, [result.language]: best = 0 } = result.getScores()
  if (isPlain && best - en < MARGIN) return en > 0 ? 'en' : null
  return languages.find(code => code === result.language) ?? null
}
