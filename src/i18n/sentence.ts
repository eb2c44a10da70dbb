import { createElement, Fragment, type ReactNode } from 'react'

/** Puts the pieces of a text, some of them elements, one after the other. */
export function sentence(pieces: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...pieces)
}
