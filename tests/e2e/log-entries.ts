import { firstIdAt, newId } from '../../src/database/id.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Installation } from './installation.ts'

const DAY = 86_400_000

/** Inserts log entries while the product runs, one a second, the last so many days ago. */
export async function writeEntries({ data }: Installation, count: number, daysAgo: number, message: string) {
  const db = await openDatabase(data)
  const rows = Array.from({ length: count }, (_, at) => {
    const time = new Date(Date.now() - daysAgo * DAY - (count - at) * 1000)
    return {
      id: newId(time),
      level: 'warning' as const,
      source: 'API' as const,
      message: `${message} ${at + 1}`,
      details: JSON.stringify({ markup: '<img src=x onerror=alert(1)>', nested: { number: at } }),
      ip_address: '192.0.2.44',
      user_id: firstIdAt(time),
      user_agent: '<b>An agent</b>',
      created_at: time.toISOString(),
    }
  })
  await db.insertInto('logs').values(rows).execute()
  await db.destroy()
}
