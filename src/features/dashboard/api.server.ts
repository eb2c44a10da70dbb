import { type ApiRouter, serve } from '../../http/api-router.ts'
import { content } from '../site/content.ts'
import { DAYS_SHOWN, dashboard } from './contract.ts'
import { lastDays } from './days.server.ts'
import { countByDay, countWaiting } from './store.server.ts'

export function serveDashboard(router: ApiRouter): void {
  const { db, clock, mail } = router.services
  // A day is one of the office, whoever looks from wherever.
  const { timeZone } = content.company

  serve(router, dashboard.read, async (_input, { user }) => {
    if (user.role !== 'admin') return { attention: null, enquiries: null }
    const [waiting, days, transport] = await Promise.all([
      countWaiting(db, clock()),
      countByDay(db, lastDays(clock(), DAYS_SHOWN, timeZone)),
      mail.transport(),
    ])
    return {
      attention: { ...waiting, isMailKeptHere: transport === 'mailbox' },
      enquiries: { days, timeZone },
    }
  })
}
