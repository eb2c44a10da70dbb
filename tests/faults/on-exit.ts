/** Runs `work` when this process exits, also after a second Ctrl+C. @returns a function that runs it now instead. */
export function onExit(work: () => void): () => void {
  const runOnce = () => {
    process.off('exit', runOnce)
    work()
  }
  process.on('exit', runOnce)
  return runOnce
}
