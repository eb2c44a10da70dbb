import type { Services } from '../../../services.ts'
import { receiveMail } from './receive.server.ts'

type Pace = Parameters<Services['mailWatch']['start']>[1]

/** Begins to fetch the mailbox that is connected, now or later. @param pace tests are in a hurry */
export function startMailWatch(services: Services, pace?: Pace): void {
  const { db, mailWatch } = services
  async function findKnown(messageIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (messageIds.length === 0) return new Set()
    const rows = await db
      .selectFrom('mail_ids')
      .select('mail_id')
      .where('mail_id', 'in', messageIds)
      .execute()
    return new Set(rows.map(({ mail_id: id }) => id))
  }

  mailWatch.start({ receive: (mail, options) => receiveMail(services, mail, options), findKnown }, pace)
}
