import { type ApiRouter, serve } from '../../http/api-router.ts'
import { DAYS_SHOWN, dashboard } from './contract.ts'
import { lastDays } from './days.server.ts'
import { countAttention, countByDay } from './store.server.ts'

export function serveDashboard(router: ApiRouter): void {
  const { db, clock, mail, content } = router.services

  serve(router, dashboard.read, async (_input, { permissions }) => {
    if (!permissions.includes('inbox:read')) return { attention: null, enquiries: null }
    // Days are those of the office's time zone, wherever the reader is.
    const { timeZone } = content.read().content.company
    const [counts, days, transport] = await Promise.all([
      countAttention(db, clock()),
      countByDay(db, lastDays(clock(), DAYS_SHOWN, timeZone)),
      mail.transport(),
    ])
    return {
      attention: {
        ...counts,
        failedAccountEmails: permissions.includes('logs') ? counts.failedAccountEmails : null,
        isMailKeptHere: permissions.includes('settings') ? transport === 'mailbox' : null,
      },
      enquiries: { days, timeZone },
    }
  })
}
