const works = new Set<() => void>()

// One listener for all: together the faults have more to end than the ten listeners after which Node warns of a leak.
process.on('exit', () => {
  for (const work of works) work()
})

/** Runs `work` when this process exits, also after a second Ctrl+C. @returns a function that runs it now instead. */
export function onExit(work: () => void): () => void {
  const runOnce = () => {
    works.delete(runOnce)
    work()
  }
  works.add(runOnce)
  return runOnce
}
