import { fold } from './folded-words.ts'

/** Digits that a number has with and without its country. */
const SAME_DIGITS = 9

/** Digits of a text that a phone number is written with, beside spaces and punctuation. */
const PHONES = /[+(]?\d[\d ().\-/\u00a0\u2010-\u2015]{6,24}\d/gu
const MIN_PHONE_DIGITS = 8

/** The digits of each phone number in a text, and where it stands. */
export function phonesOf(text: string): { digits: string; start: number; end: number }[] {
  if (!/\d|[٠-٩۰-۹０-９]/u.test(text)) return []
  // Of the same length, so that the places are those in the text.
  const plain = text.replace(/[٠-٩۰-۹０-９]/gu, digit => String((digit.codePointAt(0) ?? 0) & 0xf))
  return [...plain.matchAll(PHONES)].flatMap(({ 0: phone, index }) => {
    const digits = digitsOf(phone)
    return digits.length < MIN_PHONE_DIGITS ? [] : [{ digits, start: index, end: index + phone.length }]
  })
}

export function digitsOf(text: string): string {
  return fold(text).replace(/\D/g, '')
}

/** A phone number as it may be stored: in national or international form, with the zero after the country or without. */
export function spellingsOf(digits: string): string[] {
  const plain = digits.length < SAME_DIGITS ? digits : digits.replace(/^00/, '')
  const national = plain.replace(/^61(0?)/, '0')
  const international = plain.replace(/^0/, '61')
  const last = plain.length >= SAME_DIGITS ? [plain.slice(-SAME_DIGITS)] : []
  return [...new Set([plain, ...(plain.length > 4 ? [national, international] : []), ...last])]
}
