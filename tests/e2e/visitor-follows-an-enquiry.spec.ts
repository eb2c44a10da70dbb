import { expect, type Page } from '@playwright/test'
import { fill } from './inbox.ts'
import { signIn, test } from './installation.ts'
import { addStaff } from './staff.ts'

const PHONE = { width: 360, height: 740 }

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, viewport: PHONE })

    test('a visitor follows an enquiry by its reference, reads what was said and adds to it', async ({
      page,
      installation,
      browser,
    }) => {
      const email = javaScriptEnabled ? 'nadia@visitor.test' : 'mai@visitor.test'
      const reference = javaScriptEnabled ? 'LF-7K3M-92QD' : 'LF-8K3M-92QD'
      const message = 'May my husband work on my 482?'
      const [id = ''] = await fill(installation, [{ name: 'Nadia Ito', email, reference, message }])
      await page.goto('/contact?form=tracking')
      await page.getByRole('link', { name: 'See how far your enquiry is' }).click()
      if (javaScriptEnabled) await followLink(page, { reference, email }, installation)
      else await enterBoth(page, '/status', { reference, email }, 'Email me a code')
      if (javaScriptEnabled) await page.getByRole('button', { name: 'Email me a code' }).click()
      const { text = '' } = await installation.mailServer.next(
        ({ subject }) => subject?.includes('code') ?? false,
      )
      await page.getByLabel('Code').fill('12')
      await page.getByRole('button', { name: 'Open' }).click()
      await expect(page.getByText('This is not the code of the newest email')).toBeVisible()
      await page.getByLabel('Code').fill(/Code: (\d{6})/.exec(text)?.[1] ?? '')
      await page.keyboard.press('Enter')
      await expect(page.getByText(message)).toBeVisible()
      // Back leads to no page that the browser would have to send again.
      await page.goBack()
      await expect(page.getByText(message)).toBeVisible()
      await page.goForward()
      await page.getByLabel('Add something').fill('He is a cook.')
      // What else can be done unfolds, and folds again: what is being written stays.
      await page.getByText('Erase my enquiry').click()
      await expect(page.getByText(reference).last()).toBeVisible()
      await page.getByText('Erase my enquiry').click()
      await expect(page.getByRole('button', { name: 'Yes, erase everything' })).toBeHidden()
      const photo = { name: 'Passport.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('ffd8ff', 'hex') }
      await page.getByLabel('Files').setInputFiles(photo)
      if (javaScriptEnabled) {
        // A camera gives one photo at a time, and what is written stays over a reload.
        await page.getByLabel('Files').setInputFiles({ ...photo, name: 'Wrong.jpg' })
        await page.getByRole('button', { name: 'Remove Wrong.jpg' }).click()
        await expect(page.getByRole('listitem').filter({ hasText: '.jpg' })).toHaveText(/^Passport\.jpg/)
        await page.reload()
        await expect(page.getByLabel('Add something')).toHaveValue('He is a cook.')
        await page.getByLabel('Files').setInputFiles(photo)
      }
      await page.getByRole('button', { name: 'Send' }).click()
      await expect(page.getByText('We have what you added.')).toBeInViewport()
      await expect(page.getByText('He is a cook.')).toBeVisible()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Passport.jpg' }).click()
      expect((await download).suggestedFilename()).toBe('Passport.jpg')

      const staff = await (await browser.newContext({ javaScriptEnabled: true })).newPage()
      await signIn(staff, installation, await addStaff(installation, 'Ana Admin', { role: 'admin' }))
      await staff.goto(`${installation.url}/messages?message=${id}`)
      const said = staff.getByRole('article').filter({ hasText: 'He is a cook.' })
      await expect(said).toContainText('on the page of the enquiry')
      await expect(said.getByRole('link', { name: 'Passport.jpg' })).toBeVisible()
      if (javaScriptEnabled) {
        await page.getByText('Erase my enquiry').click()
        await page.getByRole('button', { name: 'Yes, erase everything' }).dblclick()
        await expect(page.getByRole('heading', { name: 'It is erased' })).toBeVisible()
      } else await page.getByRole('button', { name: 'Close this page on this device' }).click()
      await page.goto('/status')
      await expect(page.getByLabel('Reference')).toBeVisible()
    })
  })
}

interface Asked {
  readonly reference: string
  readonly email: string
}

async function enterBoth(page: Page, path: string, { reference, email }: Asked, send: string) {
  if (new URL(page.url()).pathname !== path) await page.goto(path)
  await page.getByLabel('Reference').fill(reference)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: send }).click()
}

async function followLink(page: Page, asked: Asked, { mailServer }: { mailServer: { next: Next } }) {
  await enterBoth(page, '/track', asked, 'Email me the link')
  await expect(page.getByRole('status')).toContainText('the link is on its way')
  const { text = '' } = await mailServer.next(({ subject }) => subject?.includes(asked.reference) ?? false)
  const link = /http\S+\/status#[\w-]+/.exec(text)?.[0] ?? ''
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We have your enquiry')
  expect(page.url()).not.toContain('#')
  await page.reload()
  await expect(page.getByText(asked.reference)).toBeVisible()
}

type Next = (
  isWanted: (email: { subject?: string | undefined }) => boolean,
) => Promise<{ text?: string | undefined }>
