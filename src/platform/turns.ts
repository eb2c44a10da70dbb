/** Milliseconds after which others are served before long work goes on. */
const TURN = 5

let turns: Promise<void> = Promise.resolve()

/**
 * Await it before work that takes some milliseconds. What several requests do so runs in as many turns of the event loop, one
 * after the other: together they hold up everybody else no longer than one of them.
 */
export function nextTurn(): Promise<void> {
  // What is set while requests are read would run before the next ones are.
  turns = turns.then(() => new Promise(resolve => setImmediate(() => setImmediate(resolve))))
  return turns
}

/** For work in many small steps. @returns a function to await between them, which lets others be served when it is time */
export async function takeTurns(): Promise<() => Promise<void>> {
  await nextTurn()
  let end = performance.now() + TURN
  return async () => {
    if (performance.now() < end) return
    await nextTurn()
    end = performance.now() + TURN
  }
}
