/** What is only a proof is tried in a short form in every check, and at length in tier 4 (`npm run test:all`). */
export const isAtLength = process.env.TESTS_AT_LENGTH === '1'

export function atLength<T>(short: T, long: T): T {
  return isAtLength ? long : short
}
