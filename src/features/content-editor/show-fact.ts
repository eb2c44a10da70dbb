import type { ListedFact } from './contract-facts.ts'

/** "2,000 AUD" */
export const showFact = ({ value, unit }: ListedFact['fact']) => (unit ? `${value} ${unit}` : value)

/** What one chooses a fact by. */
export const factOptions = (listed: readonly ListedFact[]) =>
  Object.fromEntries(listed.map(({ name, fact }) => [name, `${name}: ${showFact(fact)}`]))
