import { expect, type Page } from '@playwright/test'

/** Makes a token on the open screen. @returns its secret, from the banner that shows it once. */
export async function createToken(page: Page, description: string): Promise<string> {
  await page
    .getByRole('button', { name: /^Create (Token|Your First Token)$/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Create Token' })
  await dialog.getByLabel('Description').fill(description)
  await dialog.getByRole('button', { name: 'Create Token' }).click()
  await expect(dialog).toBeHidden()
  const secret = await page.locator('.api-tokens-new-secret').textContent()
  // Otherwise the screen asks before it shows anything else.
  await page.getByRole('button', { name: 'Copy token' }).click()
  return secret ?? ''
}
