import { expect } from '@playwright/test'
import { enterPassword, openInstallation, signIn, testApart } from './installation.ts'
import { button, calls, listenTo, press } from './press-twice.ts'

const OWNER = 'mei@southernkeel.example'
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
  // Only then has it asked about the link.
  await expect(page.getByLabel('Your name')).toBeVisible()
  await page.reload()
  await page.getByLabel('Your name').fill('Mei Tanaka')
  await page.getByLabel('Email').fill(OWNER)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press(button(page, 'Create my account'), calls['setUp.create'])
  await expect(page.getByRole('navigation', { name: 'Steps' })).toBeVisible()
  stop()
  expect(sent).toEqual([calls['setUp.open'], calls['setUp.open'], calls['setUp.create']])
  await page.getByRole('banner').getByText('Mei Tanaka').click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/auth')
  await enterPassword(page, { email: OWNER, password: PASSWORD })
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(link)
  await expect(stranger.getByRole('alert')).toContainText('This link does not work.')
})

/** Whose admin the environment names. */
const testNamed = testApart(() => openInstallation({ ADMIN_EMAIL: OWNER, SMTP_URL: '' }))

testNamed(
  'an owner is led through what a new site needs, leaves, takes it up again, and visitors see what was published (found E5)',
  async ({ page, installation }) => {
    await signIn(page, installation, { email: OWNER, password: PASSWORD })
    await page.goto('/first-steps/next')
    // The step has an address of its own, and stays open when it is done.
    await expect(page).toHaveURL(/\/first-steps\/agency$/)
    await expect(page.getByRole('heading', { name: 'Agency', level: 1 })).toBeVisible()
    await page.getByLabel('Name of the site').fill('Southern Keel Migration')
    await page.getByLabel('Legal name').fill('Southern Keel Pty Ltd')
    await page.getByRole('link', { name: 'Next: Agent' }).click()
    await expect(page.getByRole('heading', { name: 'Agent', level: 1 })).toBeInViewport()
    await page.getByLabel('Registration number (MARN)').fill('1234567')
    await page.getByLabel('Name', { exact: true }).fill('Mei Tanaka')
    await page.reload()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Mei Tanaka')
    await page.goBack()
    await expect(page.getByLabel('Legal name')).toHaveValue('Southern Keel Pty Ltd')
    await page.getByLabel('Postal address').fill('1 Elizabeth Street\nHobart TAS 7000')
    await page
      .getByRole('link', { name: /^Office/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Use Hobart time' }).click()
    await expect(page.getByLabel('Time zone')).toHaveValue('Australia/Hobart')
    await expect(page.getByRole('button', { name: /^Use Hobart/ })).toHaveCount(0)
    await page
      .getByRole('link', { name: /Samples/ })
      .first()
      .click()
    await page
      .getByRole('link', { name: /^Edit What our work costs: / })
      .first()
      .click()
    await expect(page.locator(':focus'), 'the fee, in its table').toHaveAttribute('data-field', /\.cells\./)
    await page.getByRole('main').getByRole('link', { name: 'Samples', exact: true }).click()
    await expect(page).toHaveURL(/\/first-steps\/samples$/)
    await page.getByRole('button', { name: /^Remove all \d+ samples$/ }).click()
    await expect(page.getByText(/No invented name, number or claim is left/)).toBeVisible()
    await page.getByRole('link', { name: /^Agency/ }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
    await expect(page.getByText('Version', { exact: false }).first()).toBeVisible()
    await page.goto('/')
    await expect(page.getByRole('contentinfo')).toContainText('Southern Keel Pty Ltd')
    await expect(page.getByRole('contentinfo')).toContainText('Mei Tanaka')
    expect(await page.content()).not.toContain('Alex')

    await page.goto('/first-steps/mail')
    await page.getByLabel('Another mail server').check()
    await page.getByRole('link', { name: 'Do mail later' }).click()
    const warning = page.getByRole('alertdialog', { name: 'Unsaved changes' })
    await expect(warning).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Another mail server')).toBeChecked()
  },
)
