import { createConcurrencyLimit } from '../../platform/turns.ts'

/** Calls of one person that are worked on at the same time. A screen of the portal makes five, most of them short. */
const AT_ONCE = 4

interface Person {
  readonly run: ReturnType<typeof createConcurrencyLimit>
  /** Calls that are worked on or wait. */
  calls: number
}

const people = new Map<string, Person>()

/**
 * Runs what a person has asked for in the order of the calls, and only a few of them at the same time: however many somebody
 * makes, the others wait no longer than for those few.
 */
export async function limitPerPerson<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const person = people.get(userId) ?? { run: createConcurrencyLimit(AT_ONCE), calls: 0 }
  people.set(userId, person)
  person.calls++
  try {
    return await person.run(work)
  } finally {
    person.calls--
    if (person.calls === 0) people.delete(userId)
  }
}
