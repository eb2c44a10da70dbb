import { type ListedVisa, numbersOf } from '../visas.ts'

/** What the site says about each subclass: closed only if none of its visas is open. */
export function subclassesOf(
  visas: readonly Pick<ListedVisa, 'subclasses' | 'programme'>[],
): ReadonlyMap<string, 'open' | 'closed'> {
  const subclasses = new Map<string, 'open' | 'closed'>()
  for (const visa of visas)
    for (const number of numbersOf(visa))
      if (subclasses.get(number) !== 'open') subclasses.set(number, visa.programme.status)
  return subclasses
}
