import { expect } from '@playwright/test'
import { enterPassword, openInstallation, testApart } from './installation.ts'
import { button, calls, listenTo, press } from './press-twice.ts'

const PASSWORD = 'Correct-Horse-7-Staple!'

const test = testApart(() => openInstallation({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '', SMTP_URL: '' }))

test('an owner opens the link that the first start printed, signs in again without the console, and the link is used up (E15) (found E5)', async ({
  page,
  installation,
  browser,
}) => {
  const [link = ''] = /http:\S+\/set-up#[\w-]+/.exec(installation.console()) ?? []
  const { sent, stop } = listenTo(page)
  await page.goto(link)
  await expect(page).toHaveURL(/\/set-up$/)
  await page.reload()
  await page.getByLabel('Your name').fill('Mei Tanaka')
  await page.getByLabel('Email').fill('mei@southernkeel.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press(button(page, 'Create my account'), calls['setUp.create'])
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  stop()
  expect(sent).toEqual([calls['setUp.open'], calls['setUp.open'], calls['setUp.create']])
  await page.getByRole('banner').getByText('Mei Tanaka').click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/auth')
  await enterPassword(page, { email: 'mei@southernkeel.example', password: PASSWORD })
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(link)
  await expect(stranger.getByRole('alert')).toContainText('This link does not work.')
})
