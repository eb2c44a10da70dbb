import { expect, type Page } from '@playwright/test'
import { cannedReplies } from '../../src/features/inbox/canned/contract.ts'
import { profile } from '../../src/features/profile/contract.ts'
import { Refusal } from './fake-api.ts'
import { answerInbox } from './inbox.ts'
import { ADA, answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Profile' })
const field = (page: Page) => dialog(page).getByLabel('Signature')

test('who answers writes what ends their replies, and the composer shows it', async ({ page, api }) => {
  answerPortal(api)
  const { messages } = answerInbox(api, ['Mai'])
  let signature = ''
  api.on(profile.read, () => ({ signature, noticeEmails: true }))
  api.on(profile.change, change => {
    signature = change.signature ?? signature
    return { user: { id: ADA.id, email: ADA.email, name: change.name ?? ADA.name, role: ADA.role } }
  })
  api.on(cannedReplies.list, () => ({
    ...{ cannedReplies: [], agent: null, agency: 'Landfall', signature: ['Landfall'] },
    signer: signature || ADA.name,
  }))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/messages?message=${messages[0]?.id}`)
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
  await expect(page.getByText('Signed Ada Admin · Landfall')).toBeVisible()

  await page.goto('/dashboard?profile=edit')
  await field(page).fill('Ada\nMigration agent')
  await page.keyboard.press('Escape')
  // What was typed is not lost.
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(toast(page)).toContainText('Profile Updated')
  await expect(dialog(page)).toBeHidden()
  expect(api.sent.at(-1)).toEqual({ signature: 'Ada\nMigration agent' })
  await page.goto(`/messages?message=${messages[0]?.id}`)
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
  await expect(page.getByText('Signed Ada · Migration agent · Landfall')).toBeVisible()

  await page.goto('/dashboard?profile=edit')
  await expect(field(page)).toHaveValue('Ada\nMigration agent')
  const sent = api.sent.length
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(toast(page)).toContainText('No Changes')
  expect(api.sent.length).toBe(sent)
  await page.goto('/dashboard?profile=edit')
  await field(page).fill('')
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(signature).toBe('')
})

test('what is wrong with a signature is said at its field', async ({ page, api }) => {
  answerPortal(api)
  await page.goto('/dashboard?profile=edit')
  await field(page).fill('Ada\u0007')
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog(page).getByText('A signature has no control characters')).toBeVisible()
  await expect(field(page)).toBeFocused()
})

test('who answers nobody is asked for no signature, and without an answer the rest can be changed', async ({
  page,
  api,
}) => {
  answerPortal(api, { ...ADA, role: 'editor', inbox: 'none' })
  await page.goto('/dashboard?profile=edit')
  await expect(dialog(page).getByLabel('Name')).toBeVisible()
  await expect(dialog(page).getByText('Chrome on Linux').first()).toBeVisible()
  await expect(field(page)).toHaveCount(0)
  expect(api.calls).not.toContain('GET /api/auth/profile')

  answerPortal(api)
  api.refuse(profile.read, new Refusal(500))
  api.on(profile.change, ({ name = '' }) => ({
    user: { ...{ id: ADA.id, email: ADA.email }, name, role: ADA.role },
  }))
  await page.goto('/dashboard?profile=edit')
  await dialog(page).getByLabel('Name').fill('Ada Renamed')
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(toast(page)).toContainText('Profile Updated')
  expect(api.sent.at(-1)).toEqual({ name: 'Ada Renamed' })
})
