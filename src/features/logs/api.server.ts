import { type ApiRouter, serve } from '../../http/api-router.ts'
import { days } from '../../platform/clock.ts'
import { logs, OLD_AFTER_DAYS } from './contract.ts'
import { deleteEntriesBefore, listEntries } from './store.server.ts'

/** The log as admins read it, and the only change that anyone may make to it. */
export function serveLogs(router: ApiRouter): void {
  const { db, clock, flushLog } = router.services

  serve(router, logs.list, async query => {
    // An admin sees what they have just done.
    await flushLog()
    return await listEntries(db, query)
  })

  serve(router, logs.deleteOld, async (_input, { log }) => {
    const before = new Date(clock().getTime() - days(OLD_AFTER_DAYS))
    const count = await deleteEntriesBefore(db, before, async (transaction, deleted) => {
      const details = { count: deleted, before: before.toISOString() }
      await log.within(transaction, 'warning', 'API', 'Old log entries deleted', details)
    })
    return { count }
  })
}
