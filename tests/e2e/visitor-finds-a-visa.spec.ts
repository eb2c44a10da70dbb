import { expect } from '@playwright/test'
import { test } from './installation.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor finds visas to read about, and the question that fits none leads to the form', async ({
    page,
  }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'See which visa fits' }).first().click()
    const finder = page.locator('#visa-finder')
    await expect(finder).toBeInViewport()
    await expect(finder.getByText('One visa to look at')).toBeVisible()

    await finder.getByRole('combobox').nth(0).selectOption('in Australia')
    await finder.getByRole('combobox').nth(1).selectOption('live with my partner')
    await expect(finder.getByText('Your answers have changed')).toBeVisible()
    await expect(finder.getByText('One visa to look at')).toBeHidden()
    await finder.getByRole('button', { name: 'Show visas to look at' }).click()
    await expect(page).toHaveURL(/\/\?where=inside&plan=partner&age=under-45&stay=good#visas-to-look-at$/)
    await expect(finder.getByRole('combobox').nth(1)).toHaveValue('partner')
    await expect(finder.getByText('Your answers have changed')).toBeHidden()
    const visa = finder.getByRole('link', { name: /^820/ })
    await expect(visa).toBeInViewport()
    await visa.click()
    await expect(page).toHaveURL(/\/visas\/family-migration$/)

    await page.goBack()
    await finder.getByRole('link', { name: /^Ask us wh/ }).click()
    await expect(page.locator('#get-in-touch')).toBeInViewport()
    await page.goto('/')
    await finder.getByRole('link', { name: 'My visa was refused' }).click()
    await expect(page).toHaveURL(/\/refusals$/)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a visitor is one tap from the form on every page', async ({ page }) => {
    for (const address of ['/', '/about-us', '/contact', '/visas', '/fees', '/no-such-page']) {
      await page.goto(address)
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      const ask = page.getByRole('banner').getByRole('link', { name: 'Ask us' })
      await expect(ask).toBeInViewport()
      await ask.click()
      await expect(page.getByLabel('Your name')).toBeInViewport()
    }
  })
})
