import type { Endpoint } from './endpoint.ts'

/** The path of a call in the OpenAPI document. */
export interface DocumentPath {
  /** With `{name}` for its parameters. */
  readonly path: string
  /** The name of an input → the name of its path parameter. */
  readonly nameOf: (input: string) => string
}

/**
 * OpenAPI has one path item for paths that differ only in the name of a parameter, so a parameter with several names is
 * called `id` there, and each method describes what it is the id of.
 */
export function documentPathOf(contract: Endpoint, served: readonly Endpoint[]): DocumentPath {
  const same = served.filter(({ path }) => shapeOf(path) === shapeOf(contract.path))
  const isShared = new Set(same.map(({ path }) => path)).size > 1
  const nameOf = (input: string) => (isShared ? 'id' : input)
  return { path: contract.path.replace(/:(\w+)/g, (_, input: string) => `{${nameOf(input)}}`), nameOf }
}

/** `userId` → "The id of the user": for a path parameter that is called `id` in the document. */
export function describeId(input: string): string {
  return `The id of the ${input.replace(/Id$/, '')}`
}

const shapeOf = (path: string) => path.replace(/:\w+/g, ':')
