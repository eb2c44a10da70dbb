import { expect, type Page } from '@playwright/test'
import { createGate, Refusal } from './fake-api.ts'
import { things } from './stories/contract.ts'
import { test, toast } from './story.ts'

const form = (page: Page) => page.getByRole('dialog', { name: 'Add thing' })
const field = (page: Page) => form(page).getByLabel('Name')
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you typed?' })
const opener = (page: Page) => page.getByRole('button', { name: 'Add thing' })

test('a double click on a button that opens a form leaves the focus on its first field', async ({ page }) => {
  await page.goto('/dialog')
  await opener(page).dblclick()
  await expect(field(page)).toBeFocused()
})

test('nobody loses what they typed in a dialog by Escape, by a click beside it or by Cancel', async ({
  page,
}) => {
  await page.goto('/dialog')
  await opener(page).click()
  // A key that comes before the dialog goes to the page.
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form(page)).toBeHidden()
  await opener(page).click()
  await field(page).fill('Kim Ito')
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => form(page).getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await leave()
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    await expect(field(page)).toHaveValue('Kim Ito')
  }
  for (let time = 0; time < 4; time++) await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(field(page)).toHaveValue('Kim Ito')
  await page.keyboard.press('Escape')
  await question(page).getByRole('button', { name: 'Discard' }).click()
  await expect(form(page)).toBeHidden()
  await expect(opener(page)).toBeFocused()
})

test('a dialog whose write is running stays, and asks nothing', async ({ page, api }) => {
  const gate = createGate()
  api.on(things.create, () => gate.opened.then(() => ({})))
  await page.goto('/dialog')
  await opener(page).click()
  await field(page).fill('Lee Tan')
  await page.keyboard.press('Enter')
  const saving = form(page).getByRole('button', { name: 'Saving …' })
  await expect(saving).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => history.back())
  await expect(saving).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(form(page).getByRole('button', { name: 'Cancel' })).toHaveAttribute('aria-disabled', 'true')
  gate.open()
  await expect(form(page)).toBeHidden()
  await expect(toast(page)).toContainText('Thing Created')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(opener(page)).toBeFocused()
})

test('the field that a call refuses is marked and focused', async ({ page, api }) => {
  api.on(things.create, () => new Refusal(400, { errors: { name: 'There is one of this name' } }))
  await page.goto('/dialog?thing=new')
  await field(page).fill('Kim Ito')
  await form(page).getByRole('button', { name: 'Save' }).click()
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page)).toHaveAccessibleDescription('There is one of this name')
})
