import type { ListedFact } from './contract-facts.ts'

/** "2,000 AUD" */
export const showFact = ({ value, unit }: ListedFact['fact']) => (unit ? `${value} ${unit}` : value)

/** "Core skills income" */
export function wordsOfFact(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What one chooses a fact by. */
export const factOptions = (listed: readonly ListedFact[]) =>
  Object.fromEntries(listed.map(({ name, fact }) => [name, `${wordsOfFact(name)}: ${showFact(fact)}`]))
