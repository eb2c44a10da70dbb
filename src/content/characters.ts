// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNSHOWN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu

/** Drops halves of characters, controls and what XML 1.0 forbids, which no browser shows and one of which breaks a feed. */
export function dropUnshown(text: string): string {
  return text.replace(UNSHOWN, '')
}
