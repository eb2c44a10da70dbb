import { backedUp } from './backups.ts'
import { changedTogether } from './bulk-changes.ts'
import { clockJumps } from './clock.ts'
import { contentEdited } from './content-edits.ts'
import { databaseKilled, processKilled, unsafeDatabase } from './crashes.ts'
import { databaseDown, databaseHangs } from './database-away.ts'
import { dispatcherKilled, fullOutbox } from './dispatchers.ts'
import { diskFull, writesFail } from './failing-writes.ts'
import type { Fault } from './fault.ts'
import { filesAttached } from './file-uploads.ts'
import { googleAway } from './google-away.ts'
import { mailDown } from './mail-away.ts'
import { mailFetched } from './mail-fetched.ts'
import { firstStartKilled } from './migrations.ts'
import { twoNodes } from './nodes.ts'
import { picturesUploaded } from './picture-uploads.ts'
import { recoveredToTime } from './recovery.ts'
import { sentAgain } from './repeats.ts'
import { repliesWritten } from './replies.ts'
import { repliesWait } from './replies-away.ts'
import { askedToStop } from './stop.ts'

/** Every fault that is tried, in the order in which they are. */
export const faults: readonly Fault[] = [
  processKilled,
  databaseKilled,
  unsafeDatabase,
  databaseDown,
  databaseHangs,
  mailDown,
  dispatcherKilled,
  diskFull,
  writesFail,
  clockJumps,
  sentAgain,
  askedToStop,
  fullOutbox,
  firstStartKilled,
  backedUp,
  recoveredToTime,
  twoNodes,
  googleAway,
  contentEdited,
  picturesUploaded,
  repliesWritten,
  changedTogether,
  repliesWait,
  mailFetched,
  filesAttached,
]

/**
 * Those that take seconds and can fail by a loss or a duplicate only, whatever else the machine does: a part of every
 * test run.
 */
export const quickFaults: readonly Fault[] = [
  processKilled,
  databaseKilled,
  diskFull,
  sentAgain,
  contentEdited,
  repliesWritten,
  changedTogether,
]
