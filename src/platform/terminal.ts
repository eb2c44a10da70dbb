/**
 * Characters that a terminal executes instead of printing, or that change the direction of a line: control characters
 * (C0 except newline and tab, C1), other line separators, bidirectional marks.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Escapes such characters as `\\u009b`, for console output that may contain untrusted text. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, it => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
