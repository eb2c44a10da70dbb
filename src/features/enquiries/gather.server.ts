import { sql } from 'kysely'
import { type Clock, hours, isoAfter } from '../../clock.ts'
import { isPostgres } from '../../database/open.ts'
import type { Database } from '../../database/tables.ts'
import type { Services } from '../../services.ts'
import { digestLetter } from './notice.server.ts'
import { countDoubtful, coverGathered, listGathered, oldestGathered } from './store.server.ts'

/** Past so many doubtful enquiries in an hour, over all, … */
const MOST_DOUBTFUL_NOTICES = 60
/** … their notices wait for one letter, at most this long. So two of these letters are at least this far apart. */
const GATHERED_FOR = hours(1)

/**
 * Whether the notice of a doubtful enquiry is to wait for others. Ask before it is inserted, in the transaction that
 * stores it.
 */
export async function isFlooded(transaction: Database, clock: Clock): Promise<boolean> {
  await takeTurn(transaction)
  const since = isoAfter(clock, -GATHERED_FOR)
  return (await countDoubtful(transaction, since, MOST_DOUBTFUL_NOTICES)) >= MOST_DOUBTFUL_NOTICES
}

/**
 * Writes the letter that tells of all gathered messages, when the first of them has waited long enough. The letter and
 * the marks on the messages are one transaction, so each message is told of once, whatever happens in between.
 */
export async function writeGatheredNotice(services: Services): Promise<void> {
  const { db, clock, outbox, settings, config, signature } = services
  if (!(await isDue(db, clock))) return
  const { form_email: staff, site_name: siteName } = await settings.read()
  await db.transaction().execute(async transaction => {
    await takeTurn(transaction)
    // Another node may have been faster.
    if (!(await isDue(transaction, clock))) return
    const references = await listGathered(transaction)
    const letter = digestLetter(references, staff, config.publicUrl, signature(siteName))
    await coverGathered(transaction, await outbox.add(transaction, letter, null))
  })
}

async function isDue(db: Database, clock: Clock): Promise<boolean> {
  const oldest = await oldestGathered(db)
  return oldest !== undefined && oldest <= isoAfter(clock, -GATHERED_FOR)
}

/**
 * Until the transaction ends, no other counts or gathers, so that no notice slips in between a look and what follows
 * from it. SQLite has one writer anyway.
 */
async function takeTurn(transaction: Database) {
  if (!isPostgres(transaction)) return
  await sql`select pg_advisory_xact_lock(hashtext('landfall gathered notices'))`.execute(transaction)
}
