import { randomInt } from 'node:crypto'

/** 22 characters: at most one of each of 0/O, 1/I/L, 2/Z, 5/S and 8/B, and no vowels, so that no words are spelt. */
export const ALPHABET = '234679CDFGHJKMNPQRTVWX'

/** A reference that can be read out on the phone, such as LF-7K3M-92QD: one of 55 thousand million. */
export function newReference(): string {
  return formatReference(Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''))
}

/** @param characters eight of the alphabet */
export function formatReference(characters: string): string {
  return `LF-${characters.slice(0, 4)}-${characters.slice(4)}`
}
