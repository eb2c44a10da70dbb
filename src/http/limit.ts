/** At most `count` requests in each fixed window of `per` milliseconds, which starts with the first request. */
export interface Limit {
  readonly name: string
  readonly count: number
  readonly per: number
}
