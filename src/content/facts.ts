/** A number of the law: never shown without its date and source, and never typed into a sentence. */
export interface Fact {
  readonly name: string
  readonly value: string
  /** Empty for none. */
  readonly unit: string
  /** All dates in the form 2026-07-01. */
  readonly asAt: string
  readonly source: { readonly label: string; readonly url: string }
  readonly reviewBy: string
  /** The last day on which it holds. */
  readonly endsOn: string | null
}

export type Facts = ReadonlyMap<string, Fact>

/** "65 points". */
export function describeValue({ value, unit }: Pick<Fact, 'value' | 'unit'>): string {
  return unit ? `${value} ${unit}` : value
}
