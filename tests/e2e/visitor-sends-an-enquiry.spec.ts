import { expect, type Page } from '@playwright/test'
import { ADMIN_EMAIL, readReferences, signIn, test } from './installation.ts'

const words = 'I am a nurse in Chengdu and hope to work in Perth from March.'

async function fillForm(page: Page, name: string) {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email').fill('li.wei@example.com')
  await page.getByLabel('Phone').fill('+86 138 0013 8000')
  await page.getByLabel('Service').selectOption('Skilled Migration')
  await page.getByLabel('Message').fill(words)
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('a visitor reads the home page, sends an enquiry, and staff get an email they can reply to', async ({
      page,
      installation,
    }) => {
      const name = javaScriptEnabled ? 'Li Wei' : 'Wei Li'
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (javaScriptEnabled) await waitForIsland(page)
      await fillForm(page, name)
      await page.getByRole('button', { name: 'Send enquiry' }).click()
      await expect(page.getByText('Request Submitted').first()).toBeVisible()
      await expect(
        page.getByText('Thank you for your interest. We will contact you shortly.').first(),
      ).toBeVisible()
      const reference = await page.locator('.reference').first().innerText()
      expect(await readReferences(installation)).toContain(reference)
      const email = await installation.mailServer.next(({ subject }) => subject?.includes(reference) ?? false)
      expect(email.recipients).toEqual([ADMIN_EMAIL])
      expect(email.replyTo).toEqual([{ name, address: 'li.wei@example.com' }])
      expect(email.text).toContain(words)
    })

    test('a visitor asks for an assessment, and staff read the answers in a table', async ({
      page,
      installation,
    }) => {
      const name = javaScriptEnabled ? 'Ada Assessed' : 'Bo Assessed'
      await page.goto(javaScriptEnabled ? '/' : '/contact?form=visa-assessment')
      if (javaScriptEnabled) {
        await waitForIsland(page)
        await expect(page.getByLabel('Occupation')).toBeHidden()
        await page.getByRole('link', { name: 'Visa assessment' }).click()
      }
      await fillForm(page, name)
      await page.getByLabel('Where are you now?').fill('Nepal')
      await page.getByLabel('Occupation').fill('Electrician')
      await page.getByLabel('Your age', { exact: true }).selectOption('25 to 32')
      if (javaScriptEnabled) {
        // Another form keeps what was typed in this one, and a draft too.
        await page.getByRole('link', { name: 'Track my application' }).click()
        await expect(page.getByLabel('Reference')).toBeVisible()
        await page.reload()
        await waitForIsland(page)
        await page.getByRole('link', { name: 'Visa assessment' }).click()
        await expect(page.getByLabel('Occupation')).toHaveValue('Electrician')
      }
      await page.getByRole('button', { name: 'Send enquiry' }).click()
      const reference = await page.locator('.reference').first().innerText()
      const email = await installation.mailServer.next(({ subject }) => subject?.includes(reference) ?? false)
      expect(email.text).toContain('Occupation: Electrician')
      if (!javaScriptEnabled) return
      await signIn(page, installation)
      await page.goto(/\/messages\?message=\S+/.exec(email.text ?? '')?.[0] ?? '')
      const table = page.getByRole('table', { name: 'Answers in the form' })
      await expect(table.getByRole('row')).toHaveText([
        'Where nowNepal',
        'OccupationElectrician',
        'Age25 to 32',
      ])
    })
  })
}

async function waitForIsland(page: Page) {
  await expect(page.locator('[data-island="enquiry-form"][data-live]')).toBeVisible()
}
