import type { Authority } from '../../auth/session.ts'
import { officeOf } from '../../content/office.ts'
import { opensNext, openUntil } from '../../content/working-time.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import type { Services } from '../../services.ts'
import { listContentTasks } from './content-tasks.server.ts'
import { DAYS_SHOWN, dashboard } from './contract.ts'
import { figures } from './contract-figures.ts'
import { samples } from './contract-samples.ts'
import { lastDays } from './days.server.ts'
import { readFigures } from './figures.server.ts'
import { listHiddenSamples, readFirstSteps } from './first-steps.server.ts'
import { countAttention, countByDay, listNewestUnread } from './store.server.ts'

export function serveDashboard(router: ApiRouter): void {
  serve(router, dashboard.read, async (_input, reader) => {
    const [messages, content, firstSteps] = await Promise.all([
      readMessages(router.services, reader),
      listContentTasks(router.services, reader),
      readFirstSteps(router.services, reader),
    ])
    return { office: readOffice(router.services), ...messages, content, firstSteps }
  })
  serve(router, samples.list, async () => ({ missing: await listHiddenSamples(router.services) }))
  serve(router, figures.read, async () => await readFigures(router.services))
}

function readOffice({ clock, content }: Services) {
  const office = officeOf(content.read().site)
  const now = clock()
  return {
    timeZone: office.timeZone,
    openUntil: openUntil(office, now)?.toISOString() ?? null,
    opensAt: opensNext(office, now)?.toISOString() ?? null,
  }
}

async function readMessages({ db, clock, mail, content }: Services, { permissions }: Authority) {
  if (!permissions.includes('inbox:read')) return { attention: null, newest: null, enquiries: null }
  // Days are those of the office's time zone, wherever the reader is.
  const { timeZone } = content.read().content.company
  const [counts, newest, days, transport] = await Promise.all([
    countAttention(db, clock()),
    listNewestUnread(db),
    countByDay(db, lastDays(clock(), DAYS_SHOWN, timeZone)),
    mail.transport(),
  ])
  return {
    attention: {
      ...counts,
      failedAccountEmails: permissions.includes('logs') ? counts.failedAccountEmails : null,
      isMailKeptHere: permissions.includes('settings') ? transport === 'mailbox' : null,
    },
    newest,
    enquiries: { days, timeZone },
  }
}
