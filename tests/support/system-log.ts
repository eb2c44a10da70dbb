import { type LogQuery, logs } from '../../src/features/logs/contract.ts'
import { createStaff, signInAs } from './staff.ts'
import { openTestApp } from './test-app.ts'

/** A log, and an admin who reads it. */
export async function openSystemLog() {
  const testApp = await openTestApp()
  const { db, flushLog } = testApp.services
  const { id: adminId, email } = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, email)

  async function forget() {
    await flushLog()
    await db.deleteFrom('logs').execute()
  }

  async function readAll(query: Partial<LogQuery>): Promise<string[]> {
    const messages: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof read>> = await read({ ...query, ...(cursor && { cursor }) })
      messages.push(...page.logs.map(({ message }) => message))
      cursor = page.nextCursor
    } while (cursor)
    return messages
  }

  const read = async (query: Partial<LogQuery>) => await admin.call(logs.list, query)

  return { testApp, adminId, email, admin, forget, readAll, read }
}
