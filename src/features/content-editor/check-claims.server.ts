import type { TypedBody } from '../../content/typed-body.ts'
import type { Override } from './contract.ts'

/** What the claim check gets of a publication. */
export interface ClaimCheck {
  readonly draft: TypedBody
  /** What is live, or null while the document is offline: only findings that it does not have block. */
  readonly live: TypedBody | null
  readonly overrides: readonly Override[]
}

/**
 * The place of the claim check, which is not built yet: it will throw 422 `claims` with the `findings` that block.
 * @returns the findings that were overridden, to be kept with the version
 */
export function checkClaims({ overrides }: ClaimCheck): readonly Override[] {
  return overrides
}
