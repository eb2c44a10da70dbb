import type { Endpoint } from './endpoint.ts'

/** A call's address in the document. */
export interface DocumentPath {
  /** With `{name}` for the parts that are input. */
  readonly path: string
  /** The name of an input → the name of its part of the address. */
  readonly nameOf: (input: string) => string
}

/**
 * OpenAPI knows one path item for addresses that differ only by the name of a part, so a part that has several names
 * is `id` there, and each method describes what it is the id of.
 */
export function documentPathOf(contract: Endpoint, served: readonly Endpoint[]): DocumentPath {
  const same = served.filter(({ path }) => shapeOf(path) === shapeOf(contract.path))
  const isShared = new Set(same.map(({ path }) => path)).size > 1
  const nameOf = (input: string) => (isShared ? 'id' : input)
  return { path: contract.path.replace(/:(\w+)/g, (_, input: string) => `{${nameOf(input)}}`), nameOf }
}

/** `userId` → the id of the user: for a part of an address that is `id` in the document. */
export function describeId(input: string): string {
  return `The id of the ${input.replace(/Id$/, '')}`
}

const shapeOf = (path: string) => path.replace(/:\w+/g, ':')
