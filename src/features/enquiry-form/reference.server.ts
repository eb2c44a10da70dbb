import { randomInt } from 'node:crypto'

/** Of 0/O, 1/I/L, 2/Z, 5/S and 8/B at most one, and no vowels, so that no word comes out: 22 characters. */
export const ALPHABET = '234679CDFGHJKMNPQRTVWX'

/** A name for an enquiry that can be read out on the phone: one of 55 thousand million, like LF-7K3M-92QD. */
export function newReference(): string {
  const emails = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `LF-${emails.slice(0, 4)}-${emails.slice(4)}`
}
