/** One defence, and how to take it away. */
export interface Mutation {
  /** What then no longer holds. */
  readonly name: string
  readonly file: string
  /** Stands in the file exactly once. */
  readonly text: string
  readonly instead: string
  /** The file whose tests must then fail. */
  readonly test: string
  /** A part of the names of those that are run; without it, all of the file. */
  readonly named?: string
  /** Only PostgreSQL needs this defence. */
  readonly onPostgres?: true
}
