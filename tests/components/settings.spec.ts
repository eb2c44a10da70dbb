import { expect } from '@playwright/test'
import { defaultSettings, settingKeys, settings } from '../../src/features/settings/contract.ts'
import { Refusal } from './fake-api.ts'
import { answerPortal, answerTokens, answerUsers } from './portal.ts'
import { test } from './story.ts'

/** Emails stay on the server. */
const withoutMail = {
  ...{ source: 'mailbox' as const, sender: 'desk@agency.test', isTested: false },
  ...{ host: null, smtp: null, microsoftMailbox: null },
  ...{ state: 'working' as const, since: null, reason: null, waiting: null },
}

test('a tab of the settings keeps its address and draft, and no error of another', async ({ page, api }) => {
  answerPortal(api)
  const values = defaultSettings({
    form_email: 'desk@agency.test',
    site_name: 'Landfall',
    contact_phone: '02 5550 1234',
  })
  api.on(settings.list, () => ({
    settings: Object.entries({
      ...values,
      recaptcha_secret_key: '',
      mailchimp_transactional_api_key: '',
    }).flatMap(([name, value]) => settingKeys.filter(key => key === name).map(key => ({ key, value }))),
    fileSpaceUsed: 8.24 * 1000 ** 3,
  }))
  api.on(settings.mail, () => ({
    source: 'environment' as const,
    sender: 'desk@agency.test',
    ...{ isTested: true, state: 'working' as const, host: null },
    ...{ since: null, reason: null, waiting: null, smtp: null, microsoftMailbox: null },
  }))
  api.refuse(settings.testEmail, new Refusal(503, { message: 'The relay is away' }))
  await page.goto('/settings')
  await page.getByLabel('Site name').fill('x')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Site name must be at least 3 characters')).toBeVisible()
  await page.getByRole('tab', { name: 'Email Settings' }).click()
  await expect(page).toHaveURL(/\?tab=email$/)
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await expect(page.getByText('The relay is away')).toBeVisible()
  await page.getByRole('tab', { name: 'Email Integration' }).click()
  await expect(page.getByText('The relay is away')).toBeHidden()
  await page.goBack()
  await page.goBack()
  await expect(page.getByLabel('Site name')).toHaveValue('x')
  await expect(page.getByText('Site name must be at least 3 characters')).toBeHidden()
})

test('the setting of the space for files says how much of what is saved they take', async ({ page, api }) => {
  answerPortal(api)
  let fileSpaceUsed = 8.24 * 1000 ** 3
  const setting = { key: 'file_space_gigabytes' as const, value: '20' }
  api.on(settings.list, () => ({ settings: [setting], fileSpaceUsed }))
  api.on(settings.mail, () => withoutMail)
  await page.goto('/settings')
  const field = page.getByLabel('Space for files')
  await expect(field).toHaveAccessibleDescription(/8\.2 GB of 20 GB used$/)
  await field.fill('30')
  await expect(field).toHaveAccessibleDescription(/of 20 GB used$/)
  fileSpaceUsed = 5
  await page.reload()
  await expect(field).toHaveAccessibleDescription(/less than 0\.1 GB of 20 GB used$/)
})

test('what comes next is in sight once a mail provider is saved: its test email', async ({ page, api }) => {
  answerPortal(api)
  const waiting = { kind: 'settings' as const, name: 'smtp.gmail.com', test: null }
  let isSaved = false
  const read = () => ({ ...withoutMail, waiting: isSaved ? waiting : null })
  api.on(settings.list, () => ({ settings: [], fileSpaceUsed: 0 }))
  api.on(settings.mail, read)
  api.on(settings.changeMail, () => {
    isSaved = true
    return read()
  })
  for (const width of [390, 1440]) {
    isSaved = false
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/settings?tab=email')
    await page.getByRole('radio', { name: 'Google Workspace' }).check()
    await page.getByLabel('Google account').fill('desk@agency.test')
    await page.getByLabel('App password').fill('abcdefghijklmnop')
    await page.getByRole('button', { name: 'Save mail provider' }).click()
    await expect(page.getByRole('heading', { name: 'Test email delivery' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Send a test email' })).toBeInViewport({ ratio: 1 })
  }
})

test('what was changed of a mail provider is taken back at once, and nothing is saved', async ({
  page,
  api,
}) => {
  answerPortal(api)
  api.on(settings.list, () => ({ settings: [], fileSpaceUsed: 0 }))
  api.on(settings.mail, () => withoutMail)
  await page.goto('/settings?tab=email')
  const undo = page.getByRole('button', { name: 'Undo changes' })
  await expect(page.getByRole('radio', { name: 'Folder on this server' })).toBeChecked()
  await expect(undo).toBeHidden()
  await page.getByRole('radio', { name: 'Google Workspace' }).check()
  await page.getByLabel('Google account').fill('desk@agency.test')
  await undo.click()
  await expect(page.getByRole('radio', { name: 'Folder on this server' })).toBeChecked()
  await expect(undo).toBeHidden()
  await page.getByRole('radio', { name: 'Google Workspace' }).check()
  await expect(page.getByLabel('Google account')).toHaveValue('')
  expect(api.calls.filter(call => !call.startsWith('GET'))).toEqual([])
})

test('the chosen owner of tokens stays in the URL while the documentation is read', async ({ page, api }) => {
  answerPortal(api)
  answerUsers(api)
  answerTokens(api)
  await page.goto('/api-tokens?user=01900000-0000-7000-8000-000000000000')
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await expect(page).toHaveURL(/user=01900000-.*&tab=documentation$/)
  await page.getByRole('tab', { name: 'Manage Tokens' }).click()
  await expect(page).toHaveURL(/user=01900000-[-0-9]*$/)
})

test('an admin reads whether the address and its encryption are right, and copies what to send to the person who runs the server', async ({
  page,
  api,
}) => {
  answerPortal(api)
  api.on(settings.list, () => ({ settings: [], fileSpaceUsed: 0 }))
  api.on(settings.mail, () => withoutMail)
  let answer = { publicUrl: 'https://www.agency.test', isProxyIgnored: true }
  api.on(settings.address, () => answer)
  await page.goto('/settings')
  const panel = page.getByRole('region', { name: 'Address and https' })
  const { origin } = new URL(page.url())
  await expect(panel.getByRole('listitem').filter({ hasText: 'To do: ' })).toHaveText([
    /lead to https:\/\/www\.agency\.test, and you are at/,
    /on this computer only/,
    /not encrypted/,
    /A proxy stands in front/,
  ])
  const field = panel.getByLabel('Your domain')
  await field.fill('our office')
  await expect(panel.getByText('Enter a domain such as')).toBeVisible()
  await field.fill('https://www.Agency.com.au/contact')
  await expect(panel.locator('pre')).toContainText('PUBLIC_URL=https://www.agency.com.au, TRUST_PROXY=1')
  await expect(panel.locator('pre')).toContainText('agency.com.au to www.agency.com.au')
  await panel.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Text copied to clipboard')).toBeVisible()
  answer = { publicUrl: origin, isProxyIgnored: false }
  await page.reload()
  await expect(panel.getByRole('listitem').filter({ hasText: 'Right: ' })).toContainText(origin)
})
