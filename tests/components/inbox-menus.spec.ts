import { expect, type Page } from '@playwright/test'
import { messages } from '../../src/features/inbox/contract.ts'
import { answerInbox } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

test.beforeEach(async ({ page, api }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  answerPortal(api)
})

const pane = (page: Page) => page.getByRole('dialog', { name: 'Message from Ana' })

test('the S key leads to the first of the times, which arrow keys go through, and no field looks like a date but the date', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  let snoozedUntil: string | null | undefined
  api.on(messages.change, change => {
    snoozedUntil = change.snoozedUntil
    return { message: { ...(inbox.messages[0] as (typeof inbox.messages)[0]), version: 2 } }
  })
  await page.clock.setFixedTime(new Date('2026-11-24T01:00:00Z'))
  await page.goto(`/messages?message=${inbox.messages[0]?.id}`)
  await expect(pane(page).getByRole('button', { name: 'Close enquiry' })).toBeVisible()
  await page.keyboard.press('s')
  const menu = pane(page).locator('details[open]')
  await expect(menu.getByRole('button', { name: /^Later today/ })).toBeFocused()
  await expect(menu.getByLabel(/^A date/)).toBeVisible()
  await expect(menu.locator('input')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('button', { name: /^Tomorrow/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Snoozed until')
  expect(snoozedUntil).toBe('2026-11-24T22:00:00.000Z')
})
