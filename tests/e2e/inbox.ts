import type { Locator } from '@playwright/test'
import { hours } from '../../src/platform/clock.ts'
import { newMessages } from '../support/messages.ts'
import type { Installation } from './installation.ts'
import { withDatabase } from './staff.ts'

/** Empties the inbox and fills it, newest first. @returns the ids. */
export async function fill(installation: Installation, changes: Parameters<typeof newMessages>[1]) {
  // Older than an hour: so many recent ones would put the notices of other tests into a digest.
  const rows = newMessages(new Date(Date.now() - hours(2)), changes)
  await withDatabase(installation, async db => {
    await db.deleteFrom('messages').execute()
    for (let start = 0; start < rows.length; start += 200)
      await db
        .insertInto('messages')
        .values(rows.slice(start, start + 200))
        .execute()
  })
  return rows.map(({ id }) => id)
}

/** Stores an email about a message that has failed permanently. */
export async function failEmail(installation: Installation, messageId: string) {
  const time = new Date(Date.now() - 80 * 3600 * 1000).toISOString()
  const email = { to: 'desk@agency.test', fromName: 'Agency', subject: 'Tried again', text: 'x', html: 'x' }
  await withDatabase(installation, db =>
    db
      .insertInto('outbox')
      .values({
        id: messageId,
        kind: 'notice',
        message_id: messageId,
        email: JSON.stringify(email),
        state: 'failed',
        attempts: 150,
        due_at: time,
        leased_until: null,
        last_error: '554 Mailbox is full',
        created_at: time,
        sent_at: null,
      })
      .execute(),
  )
}

/** Messages from `name 0`, `name 1` and so on. */
export const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `${name} ${at}` }))

/** Chooses *Delete* from the menu of the open message, where it is apart from what is done every day. */
export async function chooseDelete(dialog: Locator) {
  await dialog.getByLabel('More actions').click()
  await dialog.getByRole('button', { name: 'Delete …' }).click()
}

/** Opens the menu of the open message in which *Forward by email* is. @returns that button */
export async function openForwardMenu(dialog: Locator) {
  await dialog.locator('summary', { hasText: 'Forward' }).click()
  return dialog.getByRole('button', { name: 'Forward by email' })
}
