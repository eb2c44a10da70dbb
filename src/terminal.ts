/**
 * What a terminal obeys instead of showing it, or what turns the direction of a line: control characters of both sets
 * (C0 but the end of a line and the tab, C1), other ends of lines, bidirectional marks.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A text for the console that a stranger may have had a part in, with such characters written as `\\u009b`. */
export function escapeControls(text: string): string {
  return text.replace(OBEYED, it => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
