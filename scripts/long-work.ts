import type { Progress } from '../src/backup/row-snapshot.ts'
import { escapeControls } from '../src/platform/terminal.ts'

/** How a long-running command reports progress, and how it is interrupted. */
export interface LongWork {
  readonly progress: Progress
  /** Aborted by Ctrl+C and by SIGTERM; the work then leaves nothing behind. */
  readonly signal: AbortSignal
}

/** Milliseconds between two lines of progress where there is no terminal to overwrite the line. */
const PROGRESS_INTERVAL = 2000

/**
 * Does work that shows its progress and can be interrupted. An error is printed in one line.
 * @returns only when it succeeded; otherwise the process exits with 1
 */
export async function doLongWork(work: (dependencies: LongWork) => Promise<string>): Promise<void> {
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort())
  const { isTTY } = process.stdout
  let lastShown = performance.now()
  const progress: Progress = (table, rows) => {
    if (!isTTY && performance.now() - lastShown < PROGRESS_INTERVAL) return
    lastShown = performance.now()
    const line = `${table}: ${rows.toLocaleString('en-AU')}`
    process.stdout.write(isTTY ? `\r${line.padEnd(60)}` : `${line}\n`)
  }
  try {
    const result = await work({ progress, signal: abort.signal })
    process.stdout.write(`${isTTY ? `\r${' '.repeat(60)}\r` : ''}${escapeControls(result)}\n`)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `${isTTY ? '\n' : ''}${abort.signal.aborted ? 'Interrupted: nothing was changed.' : escapeControls(message)}\n`,
    )
    process.exit(1)
  }
}
