import { isoAfter } from '../../clock.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeError } from '../../log/logger.ts'
import { changeMany } from './bulk.server.ts'
import { bulk } from './bulk-contract.ts'
import { exportMessages } from './export.server.ts'
import { listFilterOf } from './filter.server.ts'
import { findMessages } from './find-messages.server.ts'

/** Serves the calls that concern many messages. */
export function serveBulk(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, bulk.change, async (request, { user, log, permissions }) => {
    const { change } = request
    if (change.delete && !permissions.includes('inbox:manage'))
      throwHttpError(403, "You don't have permission to do this")
    const result = await changeMany(services, request, { user, log })
    if (change.delete) services.mailboxSweep.request()
    const counts = { changed: result.changed.length, failed: result.failed.length }
    log('info', 'API', 'Messages changed together', { fields: Object.keys(change), ...counts })
    return result
  })

  // Before the call for one message, whose path this has.
  serve(router, bulk.find, async ({ cursor, ...filter }, { user }) => {
    return await findMessages(db, listFilterOf(filter, user.id, clock), cursor)
  })

  serve(router, bulk.export, async (filter, { user, log, setHeader }) => {
    const name = `messages-${isoAfter(clock).slice(0, 10)}.csv`
    setHeader('Content-Disposition', `attachment; filename="${name}"`)
    const { timeZone } = services.content.read().content.company
    const list = { ...listFilterOf(filter, user.id, clock), timeZone }
    return exportMessages(db, list, ({ count, isComplete, error }) => {
      const details = { count, isComplete, filters: Object.keys(filter) }
      if (error) log('error', 'API', 'Export of messages failed', { ...details, ...describeError(error) })
      else log('warning', 'API', 'Messages exported', details)
    })
  })
}
