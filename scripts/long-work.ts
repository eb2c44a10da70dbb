import type { Progress } from '../src/backup/archive.ts'
import { escapeControls } from '../src/terminal.ts'

/** What a command that takes its time has to say, and how it is ended early. */
export interface LongWork {
  readonly progress: Progress
  /** Aborted by Ctrl+C and by SIGTERM; the work then leaves nothing behind. */
  readonly signal: AbortSignal
}

/** Milliseconds between two lines where there is no terminal to write the same line anew. */
const QUIET = 2000

/**
 * Does work that shows its progress and can be interrupted. Whatever goes wrong is told in one line.
 * @returns only when all went well
 */
export async function doLongWork(work: (dependencies: LongWork) => Promise<string>): Promise<void> {
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort())
  const { isTTY } = process.stdout
  let said = performance.now()
  const progress: Progress = (table, rows) => {
    if (!isTTY && performance.now() - said < QUIET) return
    said = performance.now()
    const line = `${table}: ${rows.toLocaleString('en-AU')}`
    process.stdout.write(isTTY ? `\r${line.padEnd(60)}` : `${line}\n`)
  }
  try {
    const result = await work({ progress, signal: abort.signal })
    process.stdout.write(`${isTTY ? `\r${' '.repeat(60)}\r` : ''}${escapeControls(result)}\n`)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `${isTTY ? '\n' : ''}${abort.signal.aborted ? 'Interrupted: nothing was changed.' : escapeControls(words)}\n`,
    )
    process.exit(1)
  }
}
