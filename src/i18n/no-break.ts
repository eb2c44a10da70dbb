import { createElement, Fragment, type ReactNode } from 'react'

/** Spaces at which a line must not end: in "MARN 0000000", "AUD 2.5 million", "subclass 482" and "6 pm". */
const TIES = /(?<=\b(?:MARN|ABN|AUD|[Ss]ubclass(?:es)?)) (?=\d)|(?<=\d) (?=(?:million|billion|am|pm)\b)/g

/** Makes such spaces no-break spaces. Only for showing: a stored text keeps what was typed. */
export function keepTogether(text: string): string {
  return text.replace(TIES, '\u00a0')
}

/** Puts the pieces of a text, some of them elements, one after the other. */
export function sentence(pieces: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...pieces)
}
