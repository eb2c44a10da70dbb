import type { Page } from '@playwright/test'

/** Chooses an action from the menu of its row, which a finger reaches, too. @param name such as `Edit: Ana` */
export async function chooseRowAction(page: Page, about: string, name: string) {
  await page.locator(`summary[aria-label="Actions: ${about}"]`).first().click()
  await page.locator('.row-menu').getByRole('button', { name, exact: true }).click()
}
