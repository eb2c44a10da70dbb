/** Words of the rules that are written in parts: "guar-antee" at the end of a line, "G U A R A N T E E D" as a design. */

const known =
  'guaranteeing guaranteed guarantees guarantee guaranty assured assures assure hundred percent successful success approvals approval approved acceptance promises promise certain refused relationships relationship connections connection contacts insiders insider inside government department endorsed accredited recommended authorised leading fastest cheapest unbeatable visas visa residence residency citizenship immigration migration risk free best rate'.split(
    ' ',
  )
/** Characters. The parts of a shorter word may be words, as in "vis a vis". */
const LONG = 8

/** @param separator between any two characters */
const inParts = (word: string, separator: string) => [...word].join(separator)
const parted = new RegExp(
  `\\b(?:${known
    .map(word =>
      inParts(word, word.length < LONG ? '[-*_\u00B7\u2022\u2027]?' : '[-*_\u00B7\u2022\u2027. ]?'),
    )
    .join('|')})`,
  'gi',
)
const spaced = /\b(?:[a-z] ){4,}[a-z]\b/gi
const whole = new RegExp(known.join('|'), 'gi')

/** @param text in plain characters */
export function joinWords(text: string): string {
  return text
    .replaceAll(spaced, text => text.replaceAll(' ', '').replaceAll(whole, ' $& ').trim())
    .replaceAll(parted, word => word.replaceAll(/[^a-z]/gi, ''))
}
