import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { ACCOUNT, createCertificate, newLoopback, openAccountServer } from '../support/account-server.ts'
import { MAIL_KEY, type MailchimpServer, openMailchimpServer } from '../support/mailchimp-server.ts'
import { expectTexts, toast } from './expect-texts.ts'
import { type Installation, openDashboard, openInstallation, signIn } from './installation.ts'
import { test as base, save } from './settings.ts'

/** An installation that sends through a stand-in for Mailchimp Transactional once its key is set. */
async function openWithMailchimp() {
  const mailchimp = await openMailchimpServer()
  const installation = await openInstallation({ MAILCHIMP_API_URL: mailchimp.url })
  return {
    ...installation,
    mailchimp,
    async close() {
      await installation.close()
      await mailchimp.close()
    },
  }
}

const test = base.extend<{ mailchimp: MailchimpServer }>({
  mailchimp: async ({ keep }, use) => use((await keep(openWithMailchimp)).mailchimp),
  installation: async ({ keep }, use) => use(await keep(openWithMailchimp)),
})

test('an admin has enquiries announced at another address', async ({ admin, installation }) => {
  await admin.goto('/settings?tab=email')
  await admin.getByLabel('Form email').fill('a@b.test, c@d.test')
  await save(admin)
  await expectTexts(admin, '/settings', 'Please enter a valid email address')
  await admin.getByLabel('Form email').fill('desk@agency.test')
  await save(admin)
  await expect(toast(admin)).toContainText('Settings Updated')
  await sendEnquiry(installation, 'For The Desk')
  const email = await installation.mailServer.next(
    ({ subject }) => subject?.includes('For The Desk') ?? false,
  )
  expect(email.recipients).toEqual(['desk@agency.test'])
})

test('an admin sees why the provider rejects a key, corrects it, and emails are sent through the provider', async ({
  admin,
  installation,
  mailchimp,
}) => {
  await admin.goto('/settings?tab=email-integration')
  const key = admin.getByLabel('Mailchimp Transactional API key')
  await key.fill('md-a-wrong-key-Abcd')
  await expect(admin.getByText('Save your changes first')).toBeVisible()
  await save(admin)
  await expect(toast(admin)).toContainText('Settings Updated')
  await admin.getByRole('button', { name: 'Send a test email' }).click()
  await expect(admin.getByRole('alert').filter({ hasText: 'could not be sent' })).toContainText(
    'Invalid_Key: Invalid API key',
  )
  await key.fill(MAIL_KEY)
  await save(admin)
  await expect(key).toHaveValue('********ey42')
  await admin.getByRole('button', { name: 'Send a test email' }).click()
  await expect(admin.getByText('Test email sent to admin@agency.test.')).toBeVisible()
  expect(mailchimp.messages.at(-1)?.to).toEqual([{ email: 'admin@agency.test', type: 'to' }])
  await admin.getByLabel('Six digits').fill(digitsIn(mailchimp.messages.at(-1)?.text))
  await admin.getByRole('button', { name: 'Use this provider' }).click()
  await expect(toast(admin)).toContainText('Emails are sent this way from now on.')

  await sendEnquiry(installation, 'By Mailchimp')
  const notice = await mailchimp.next(({ subject }) => subject.includes('By Mailchimp'))
  expect(notice.headers['Reply-To']).toBe('"By Mailchimp" <visitor@example.com>')
  expect(notice.text).toContain('A question about partner visas.')
  expect(installation.console()).not.toContain(MAIL_KEY)

  await admin.getByRole('tab', { name: 'Email Settings' }).click()
  await admin.getByRole('button', { name: 'Send a test email' }).click()
  await expect(admin.getByText('Mailchimp Transactional accepted it.')).toBeVisible()
  await admin.getByRole('tab', { name: 'Email Integration' }).click()
  await key.fill('')
  await save(admin)
  await expect(key).toHaveValue('')
  await admin.getByRole('button', { name: 'Send a test email' }).click()
  await expect(admin.getByText('The mail relay accepted it.')).toBeVisible()
})

test('the notice that there is no mail provider goes once there is a key', async ({ page, mailchimp }) => {
  const installation = await openInstallation({
    SMTP_URL: '',
    MAIL_FROM: '',
    MAILCHIMP_API_URL: mailchimp.url,
  })
  await openDashboard(page, installation)
  await page.getByRole('complementary', { name: 'Email delivery' }).getByRole('link').click()
  await expect(page.getByText('No mail provider is set up.')).toBeVisible()
  await page.getByRole('tab', { name: 'Email Integration' }).click()
  await page.getByLabel('Mailchimp Transactional API key').fill(MAIL_KEY)
  await save(page)
  await expect(page.getByText('The mail provider waits for its test.')).toBeVisible()
  await page.getByRole('button', { name: 'Send a test email' }).click()
  const digits = page.getByLabel('Six digits')
  await expect(digits).toBeFocused()
  await page.reload()
  await digits.fill(digitsIn(mailchimp.messages.at(-1)?.text))
  await digits.press('Enter')
  await expect(page.getByRole('complementary', { name: 'Email delivery' })).toBeHidden()
  await installation.close()
})

test('an admin chooses a mail server, sees why it refuses a password, corrects it, and emails go through it', async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-account-'))
  const host = newLoopback()
  const certificate = createCertificate(host)
  await writeFile(join(folder, 'authority.pem'), certificate.cert)
  const server = await openAccountServer({ host, certificate })
  const installation = await openInstallation({
    SMTP_URL: '',
    MAIL_FROM: '',
    SMTP_PRIVATE_HOSTS: 'true',
    NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
  })
  await signIn(page, installation)
  await page.goto(`${installation.url}/settings?tab=email`)
  await expect(page.getByText('Nobody receives emails yet.')).toBeVisible()
  const choose = async (name: string) => await page.getByRole('radio', { name }).check()
  const saveProvider = async () => await page.getByRole('button', { name: 'Save mail provider' }).click()
  const test = page.getByRole('button', { name: 'Send a test email' })

  await choose('Microsoft 365, by password')
  await expect(page.getByText(/by default at the end of December 2026/).first()).toBeVisible()
  await choose('Google Workspace')
  await expect(page.getByRole('link', { name: 'myaccount.google.com/apppasswords' })).toBeVisible()
  await saveProvider()
  await expect(page.getByText('Enter the whole email address of the account')).toBeVisible()
  await expect(page.getByLabel('Google account')).toBeFocused()

  await choose('Another mail server')
  await page.getByLabel('Server name').fill(`http://${host}`)
  await page.getByLabel('Port').selectOption('2525')
  await page.getByLabel('User name').fill(ACCOUNT.user)
  await page.getByRole('textbox', { name: 'Password' }).fill('a wrong password')
  await saveProvider()
  await expect(page.getByText('Enter the name of the mail server alone')).toBeVisible()
  await page.getByLabel('Server name').fill(host)
  await expect(page.getByText('Save your changes first')).toBeVisible()
  await saveProvider()
  await expect(toast(page)).toContainText('Settings Updated')
  await expect(page.getByText('The mail provider waits for its test.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('')
  await test.click()
  const failure = page.getByRole('alert').filter({ hasText: 'could not be sent' })
  await expect(failure).toContainText('535 5.7.8 Username and Password not accepted')
  await expect(failure).toContainText('Enter both again.')
  await expect(failure).toContainText('Nothing was changed: emails stay in a folder on the server')
  await page.reload()
  await expect(failure).toContainText('535 5.7.8 Username and Password not accepted')
  await expect(page.getByLabel('Server name')).toHaveValue(host)

  await page.getByRole('textbox', { name: 'Password' }).fill(ACCOUNT.password)
  await saveProvider()
  await expect(page.getByText('Waiting for its test', { exact: true })).toBeVisible()
  await page.getByText('Use it all the same').first().click()
  await expect(page.getByRole('button', { name: 'Use it all the same' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await test.click()
  await expect(page.getByText('Test email sent to admin@agency.test.')).toBeVisible()
  await page.getByLabel('Six digits').fill('12 34')
  await page.getByRole('button', { name: 'Use this provider' }).click()
  await expect(page.getByText('Enter the six digits of the newest test email')).toBeVisible()
  await page.getByLabel('Six digits').fill(`Your digits: ${digitsIn(server.emails.at(-1)?.text)}`)
  await page.getByRole('button', { name: 'Use this provider' }).click()
  await expect(page.getByText(`Emails go through ${host} and come from ${ACCOUNT.user}.`)).toBeVisible()
  await expect(page.getByText('In use', { exact: true })).toBeVisible()
  await sendEnquiry(installation, 'By The Account')
  await expect(() => expect(server.emails.at(-1)?.subject).toContain('By The Account')).toPass()
  expect(await page.content()).not.toContain(ACCOUNT.password)
  expect(installation.console()).not.toContain(ACCOUNT.password)

  // It fails later: every screen says so, until an email comes through again.
  server.senderReply = { code: 451, text: '4.3.2 Please try again later' }
  await page.getByRole('button', { name: 'Send a test email' }).click()
  const line = page.getByRole('alert', { name: 'Email delivery' })
  await expect(line).toContainText('Emails have been failing since')
  await page.goto(`${installation.url}/dashboard`)
  await line.getByRole('link', { name: 'See the mail settings' }).click()
  await expect(page.getByText('Failing', { exact: true })).toBeVisible()
  server.senderReply = null
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await expect(line).toBeHidden()
  await installation.close()
  await server.close()
  await rm(folder, { recursive: true })
})

test('an admin sees that the relay of the server comes before the mail server of the settings', async ({
  admin,
}) => {
  await admin.goto('/settings?tab=email')
  await expect(admin.getByText('set on the server')).toBeVisible()
  await expect(admin.getByText('SMTP_URL')).toBeVisible()
})

const digitsIn = (text = '') => /^\d{6}$/m.exec(text)?.[0] ?? ''

async function sendEnquiry({ url }: Installation, name: string) {
  const response = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name,
      email: 'visitor@example.com',
      phone: '+61 400 000 000',
      message: 'A question about partner visas.',
    }),
  })
  expect(response.status).toBe(201)
}
