/** At most `count` in each window of `per` milliseconds, which begins with the first. */
export interface Limit {
  readonly name: string
  readonly count: number
  readonly per: number
}
