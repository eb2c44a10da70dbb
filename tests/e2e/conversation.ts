import { expect, type Locator, type Page } from '@playwright/test'
import type { Installation } from './installation.ts'
import { withDatabase } from './staff.ts'

export const paneOf = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `Message from ${name}`, exact: true })

export const replyText = (pane: Locator) => pane.getByRole('textbox', { name: /^Reply to/ })
export const noteText = (pane: Locator) => pane.getByRole('textbox', { name: 'Note to the team' })

/** Opens a message by its address and waits until it can be answered. */
export async function openMessage(page: Page, id: string, name: string): Promise<Locator> {
  await page.goto(`/messages?message=${id}`)
  const pane = paneOf(page, name)
  await expect(pane.getByRole('button', { name: 'Close enquiry' }).first()).toBeVisible()
  return pane
}

/** Chooses from a menu of the toolbar that a key opens. */
export async function chooseByKey(page: Page, pane: Locator, key: string, choice: string | RegExp) {
  await page.keyboard.press(key)
  await pane.locator('.menu-panel').getByRole('button', { name: choice }).click()
}

/** What was said about a message, in order, without what was done with it. */
export async function readConversation(installation: Installation, messageId: string) {
  return await withDatabase(installation, async db => {
    const entries = await db
      .selectFrom('entries')
      .select(['kind', 'body'])
      .where('message_id', '=', messageId)
      .where('kind', '!=', 'event')
      .orderBy('seq')
      .execute()
    const notes = await db.selectFrom('notes').select('body').where('message_id', '=', messageId).execute()
    return [
      ...entries.map(({ kind, body }) => `${kind}: ${body}`),
      ...notes.map(({ body }) => `note: ${body}`),
    ]
  })
}

export async function readState(installation: Installation, messageId: string) {
  return await withDatabase(installation, db =>
    db
      .selectFrom('messages')
      .select(['status', 'assignee_id', 'snoozed_until'])
      .where('id', '=', messageId)
      .executeTakeFirstOrThrow(),
  )
}
