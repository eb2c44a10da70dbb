import { expect, type Page } from '@playwright/test'
import { messages } from '../../src/features/inbox/contract.ts'
import { conversation } from '../../src/features/inbox/conversation/contract.ts'
import { Refusal } from './fake-api.ts'
import { answerInbox } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

test.beforeEach(async ({ page, api }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  answerPortal(api)
})

const pane = (page: Page) => page.getByRole('dialog', { name: 'Message from Ana' })
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Revoke the link' })

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

test('the links of a visitor are revoked after a question that says what ends, by keyboard', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana'])
  api.on(conversation.revokeLinks, () => ({ revoked: 2 }))
  await page.goto(`/messages?message=${inbox.messages[0]?.id}`)
  const revoke = pane(page).getByRole('button', { name: 'Revoke the link …' })
  await revoke.press('Enter')
  await expect(question(page)).toContainText('All links to the page of this enquiry end at once')
  await expect(question(page)).toContainText('The visitor can ask for another one')
  await expect(question(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question(page)).toBeHidden()
  await expect(revoke).toBeFocused()
  expect(api.calls.filter(call => call.startsWith('DELETE'))).toEqual([])

  await page.keyboard.press('Enter')
  await question(page).getByRole('button', { name: 'Revoke' }).press('Enter')
  await expect(toast(page)).toContainText('Links revoked')
  await expect(question(page)).toBeHidden()
  expect(api.calls.filter(call => call.startsWith('DELETE'))).toHaveLength(1)

  api.on(conversation.revokeLinks, () => new Refusal(503))
  await revoke.press('Enter')
  await question(page).getByRole('button', { name: 'Revoke' }).press('Enter')
  await expect(toast(page)).toContainText('Links Not Revoked')
})
