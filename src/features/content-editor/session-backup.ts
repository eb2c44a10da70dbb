import * as z from 'zod/mini'
import type { EditorSession, Schedule, Start } from './editor-session.ts'

/** Milliseconds between two backups. Longer, and a crash loses more; shorter, and typing in a long document gets slow. */
const BACKUP_INTERVAL = 2000

const Body = z.record(z.string(), z.unknown())

/** As JSON, in which what was removed is left out. */
const Conflict = z.pipe(
  z.object({ path: z.string(), mine: z.optional(z.unknown()), theirs: z.optional(z.unknown()) }),
  z.transform(({ path, mine, theirs }) => ({ path, mine, theirs })),
)

const Backup = z.object({
  ...{ base: Body, body: Body, revision: z.number() },
  conflicts: z.array(Conflict),
  otherEditor: z.nullable(z.string()),
  sent: z.optional(Body),
})

/** What was typed and not saved in an earlier session of the editor, from the storage of the browser; null if nothing was. */
export function readStart(stored: unknown): Start | null {
  return Backup.safeParse(stored).data ?? null
}

/**
 * Backs up what is typed for as long as it is not stored on the server.
 * @param write gets null when there is nothing to keep any more
 */
export function keepBackups(
  { backup, subscribe }: EditorSession,
  { write, schedule }: { write: (start: Start | null) => void; schedule: Schedule },
) {
  let cancel: (() => void) | null = null

  function keep() {
    cancel?.()
    cancel = null
    write(backup())
  }

  const unsubscribe = subscribe(() => {
    if (backup() === null) keep()
    else cancel ??= schedule(keep, BACKUP_INTERVAL)
  })
  if (backup()) keep()
  return {
    /** Backs up at once, such as when the tab is closed. */
    keep,
    stop() {
      unsubscribe()
      cancel?.()
      write(null)
    },
  }
}
