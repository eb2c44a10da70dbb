/** Does what must be done however this process ends, a second Ctrl+C included. @returns does it now. */
export function atTheEnd(work: () => void): () => void {
  const once = () => {
    process.off('exit', once)
    work()
  }
  process.on('exit', once)
  return once
}
