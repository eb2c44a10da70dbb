import type { UserRow } from '../../src/database/tables.ts'
import type { Browser } from './browser.ts'
import { createStaff, signInAs } from './staff.ts'
import { openTestApp } from './test-app.ts'

export const OTHER_PASSWORD = 'Amber-Ferry-3-Window?'

/** An admin who changes users. */
export async function openUserChanges() {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const { mailServer } = testApp
  const self = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, self.email)

  const change = async (id: string, body: object, browser = admin) =>
    await browser.send('PATCH', `/api/users/${id}`, body)
  const read = async (id: string): Promise<UserRow> => ({
    ...(await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()),
  })
  const status = async (browser: Browser) => (await browser.fetch('/api/auth/me')).status
  const emailTo = async (email: string, subject: string) =>
    await mailServer.next(message => message.recipients.includes(email) && message.subject === subject)

  return { testApp, self, admin, change, read, status, emailTo }
}
