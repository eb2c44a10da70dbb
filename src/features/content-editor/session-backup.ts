import * as z from 'zod/mini'
import type { Start } from './editor-session.ts'

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
