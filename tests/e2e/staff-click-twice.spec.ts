import { type Browser, expect, type Page } from '@playwright/test'
import { isAtLength } from '../support/at-length.ts'
import { NEW_PASSWORD, readPasswordLink } from '../support/password-links.ts'
import { STAFF_PASSWORD } from '../support/staff.ts'
import { chooseDelete, failEmail, fill, openForwardMenu } from './inbox.ts'
import { type Installation, readCode, signIn, testApart } from './installation.ts'
import { button, type Call, calls, listenTo, press, question } from './press-twice.ts'
import { addStaff } from './staff.ts'

const test = testApart()
test.skip(
  !isAtLength,
  'All buttons have one guard, which writes.spec.ts and press-guard.test.ts show in every check',
)
// One of these tests presses every button of the portal that writes.
test.slow()

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('pressing each button of the sign-in, of a forgotten password, of the profile and of a public page twice makes each call once', async ({
  page,
  browser,
  installation,
}) => {
  await workOnProfile(page, browser, installation)
  await page.context().clearCookies()
  await workOnPublicPage(page, installation)
  await workOnForgottenPassword(page, installation)
  await workOnSignIn(page, installation)
})

async function workOnSignIn(page: Page, installation: Installation) {
  await page.clock.install()
  await page.goto('/auth')
  const { sent, stop } = listenTo(page)
  const lee = await addStaff(installation, 'Lee Roth')
  await page.getByLabel('Email').fill(lee.email)
  await page.getByLabel('Password').fill('Wrong-Horse-7-Staple!')
  await press(page.getByLabel('Password'), calls['signIn.login'], 'Enter')
  await expect(page.getByText('Login Failed', { exact: true })).toBeVisible()
  await page.getByLabel('Password').fill(lee.password)
  await press(button(page, 'Login'), calls['signIn.login'])
  const code = page.getByLabel('Verification code')
  await readCode(installation, lee.email)
  await page.clock.runFor(60_000)
  await press(button(page, 'Send another code'), calls['signIn.resendCode'])
  await page.clock.runFor(60_000)
  await code.fill('000000')
  await press(code, calls['signIn.verifyCode'], 'Enter')
  await expect(page.getByText('Verification Failed', { exact: true })).toBeVisible()
  await page.context().clearCookies()
  await page.reload()
  await page.getByLabel('Email').fill(lee.email)
  await page.getByLabel('Password').fill(lee.password)
  await press(button(page, 'Login'), calls['signIn.login'])
  await code.fill(await readCode(installation, lee.email))
  await press(button(page, 'Verify'), calls['signIn.verifyCode'])
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.locator('summary', { hasText: lee.name }).click()
  await press(button(page, 'Logout'), calls['signIn.logout'])
  await expect(page.getByText('Logout Successful')).toBeVisible()
  const login = calls['signIn.login']
  const verify = calls['signIn.verifyCode']
  const resend = calls['signIn.resendCode']
  stop()
  expect(sent).toEqual([login, login, resend, verify, login, verify, calls['signIn.logout']])
}

async function workOnForgottenPassword(page: Page, installation: Installation) {
  const lee = await addStaff(installation, 'Lee Roth')
  await page.goto('/forgot-password')
  const { sent, stop } = listenTo(page)
  await page.getByLabel('Email').fill(lee.email)
  await press(button(page, 'Send the link'), calls['passwordLink.request'])
  await page.goto(await readPasswordLink(installation, lee.email))
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await press(button(page, 'Set password'), calls['passwordLink.setPassword'])
  await expect(page.getByRole('heading', { name: 'Password set' })).toBeVisible()
  const {
    'passwordLink.request': request,
    'passwordLink.open': open,
    'passwordLink.setPassword': set,
  } = calls
  stop()
  expect(sent).toEqual([request, open, set])
}

async function workOnPublicPage(page: Page, installation: Installation) {
  await signIn(page, installation, await addStaff(installation, 'Lee Roth'))
  await page.goto('/')
  const { sent, stop } = listenTo(page)
  await page.locator('summary', { hasText: 'Lee Roth' }).click()
  await press(button(page, 'Logout'), calls['signIn.logout'])
  await expect(page.getByText('Logout Successful')).toBeVisible()
  stop()
  expect(sent).toEqual([calls['signIn.logout']])
}

async function workOnProfile(page: Page, browser: Browser, installation: Installation) {
  const mina = await addStaff(installation, 'Mina Park')
  for (const _ of [1, 2]) {
    const other = await browser.newContext()
    await signIn(await other.newPage(), installation, mina)
    await other.close()
  }
  await signIn(page, installation, mina)
  const { sent, stop } = listenTo(page)
  await page.goto('/dashboard?profile=edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await button(dialog, /^Sign out [A-Z]/)
    .first()
    .click()
  await press(button(question(page), 'Sign out'), calls['profile.deleteSession'])
  await expect(question(page)).toBeHidden()
  await button(dialog, 'Sign out everywhere else').click()
  await press(button(question(page), 'Sign out'), calls['profile.deleteOtherSessions'])
  await expect(button(dialog, 'Sign out everywhere else')).toBeHidden()
  await dialog.getByLabel('Name').fill('Mina Roth')
  await press(button(dialog, 'Save changes'), calls['profile.change'])
  await expect(dialog).toBeHidden()
  const { 'profile.deleteSession': one, 'profile.deleteOtherSessions': all, 'profile.change': change } = calls
  stop()
  expect(sent).toEqual([one, all, change])
}

test('pressing each button of the portal twice makes each call once', async ({ page, installation }) => {
  await signIn(page, installation)
  const { sent } = listenTo(page)
  const expected = [
    ...(await workOnUsers(page)),
    ...(await workOnTokens(page)),
    ...(await workOnMessages(page, installation)),
    ...(await workOnSettings(page)),
    ...(await workOnLogs(page)),
  ]
  expect(sent).toEqual(expected)
})

async function workOnUsers(page: Page): Promise<Call[]> {
  await page.goto('/users')
  const dialog = page.getByRole('dialog')
  // The second half of this double click is not one beside the dialog, which would close it.
  await button(page, 'Add User').dblclick()
  await dialog.getByLabel('Name').fill('Kim Ito')
  await dialog.getByLabel('Email').fill('kim@agency.test')
  await dialog.getByLabel('Set a password').check()
  await dialog.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD)
  await press(button(dialog, 'Add User'), calls['users.create'])
  await expect(page.getByText('User Created')).toBeVisible()
  await expect(dialog).toBeHidden()
  await page.locator('summary[aria-label="Actions: Kim Ito"]').click()
  await press(button(page, 'Resend verification email: Kim Ito'), calls['users.resendVerification'])
  await button(page, 'Edit: Kim Ito').dblclick()
  await dialog.getByLabel('Name').fill('Kim Roth')
  await press(dialog.getByLabel('Name'), calls['users.change'], 'Enter')
  await expect(page.getByText('User Updated')).toBeVisible()
  await expect(dialog).toBeHidden()
  await page.goto('/users?user=new')
  await dialog.getByLabel('Name').fill('Ana Ito')
  await dialog.getByLabel('Email').fill('ana@agency.test')
  await button(dialog, 'Add User').click()
  await expect(dialog).toBeHidden()
  await page.locator('summary[aria-label="Actions: Ana Ito"]').click()
  await press(button(page, 'Resend invitation: Ana Ito'), calls['users.resendInvitation'])
  await expect(page.getByText('Invitation Sent')).toBeVisible()
  await button(page, 'Delete: Kim Roth').dblclick()
  await press(button(question(page), 'Delete'), calls['users.delete'])
  await expect(row(page, 'Kim Roth')).toBeHidden()
  return [
    calls['users.create'],
    calls['users.resendVerification'],
    calls['users.change'],
    calls['users.create'],
    calls['users.resendInvitation'],
    calls['users.delete'],
  ]
}

async function workOnTokens(page: Page): Promise<Call[]> {
  await page.goto('/api-tokens')
  for (const way of ['click', 'Enter'] as const) {
    await button(page, /^Create (Your First )?Token$/).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Description').fill(`By ${way}`)
    const on = way === 'click' ? button(dialog, 'Create Token') : dialog.getByLabel('Description')
    await press(on, calls['apiTokens.create'], way)
    await expect(dialog).toBeHidden()
    await expect(row(page, `By ${way}`)).toHaveCount(1)
    // A token that was not copied is asked about before another one.
    await button(page, 'Copy token').click()
    await expect(page.getByText('Token copied to clipboard')).toBeVisible()
  }
  await button(page, 'Revoke By click').click()
  await press(button(question(page), 'Revoke'), calls['apiTokens.revoke'])
  await expect(row(page, 'By click')).toBeHidden()
  return [calls['apiTokens.create'], calls['apiTokens.create'], calls['apiTokens.revoke']]
}

async function workOnMessages(page: Page, installation: Installation): Promise<Call[]> {
  const ids = await fill(installation, [{ name: 'Ana' }, { name: 'Bo' }])
  await failEmail(installation, ids[1] ?? '')
  await page.goto('/messages')
  await press(button(page, 'Forward message from Ana'), calls['messages.forward'])
  await expect(page.getByText('Message Forwarded')).toBeVisible()
  await press(page.getByRole('link', { name: 'Bo', exact: true }), calls['messages.markRead'])
  const dialog = page.getByRole('dialog', { name: /^Message from/ })
  await press(button(dialog, 'Retry'), calls['messages.retry'])
  await expect(dialog).toContainText('Emailed to staff')
  await press(await openForwardMenu(dialog), calls['messages.forward'])
  await chooseDelete(dialog)
  await press(button(question(page), 'Delete'), calls['messages.delete'])
  await expect(page.getByRole('link', { name: 'Bo', exact: true })).toBeHidden()
  await expect(dialog).toBeHidden()
  return [
    calls['messages.forward'],
    calls['messages.markRead'],
    calls['messages.retry'],
    calls['messages.forward'],
    calls['messages.delete'],
  ]
}

/** Comes last of what has to do with email: its key leads to a provider that is not there. */
async function workOnSettings(page: Page): Promise<Call[]> {
  const change = (key: string): Call => `${calls['settings.change']}${key}`
  const save = (of = 1) => press(button(page, 'Save changes'), calls['settings.change'], 'click', of)
  await page.goto('/settings')
  await page.getByLabel('Site name').fill('Southern Cross')
  await page.getByLabel('Contact phone').fill('02 5550 1234')
  await save(2)
  await page.getByRole('tab', { name: 'Email Settings' }).click()
  await press(button(page, 'Send a test email'), calls['settings.testEmail'])
  await expect(page.getByText('Test email sent to')).toBeVisible()
  await page.getByRole('radio', { name: 'Google Workspace' }).check()
  await page.getByLabel('Google account').fill('office@agency.test')
  await page.getByLabel('App password').fill('abcd efgh ijkl mnop')
  await press(button(page, 'Save mail provider'), calls['settings.changeMail'])
  await expect(page.getByText('Waiting for its test')).toBeVisible()
  await press(button(page, 'Discard smtp.gmail.com'), calls['settings.discardMail'])
  await expect(page.getByText('Waiting for its test')).toBeHidden()
  await page.getByLabel('Form email').fill('office@agency.test')
  await save()
  await page.getByRole('tab', { name: 'reCAPTCHA Settings' }).click()
  await page.getByLabel('Version').selectOption('v2')
  await save()
  await page.getByRole('tab', { name: 'Email Integration' }).click()
  await page.getByLabel('Mailchimp Transactional API key').fill('md-1234567890123456789012')
  await save()
  await expect(page.getByText('Not saved yet')).toBeHidden()
  await showDigits(page)
  await page.getByLabel('Six digits').fill('000000')
  await press(button(page, 'Use this provider'), calls['settings.confirmMail'])
  await expect(page.getByText('These are not the digits')).toBeVisible()
  await page.getByText('Use it all the same').first().click()
  await page.getByLabel('I can read the console').check()
  await press(button(page, 'Use it all the same'), calls['settings.useMail'])
  await expect(page.getByText('Emails are sent this way from now on.')).toBeVisible()
  return [
    change('site_name'),
    change('contact_phone'),
    calls['settings.testEmail'],
    calls['settings.changeMail'],
    calls['settings.discardMail'],
    change('form_email'),
    change('recaptcha_version'),
    change('mailchimp_transactional_api_key'),
    calls['settings.confirmMail'],
    calls['settings.useMail'],
    ...(await workOnMailbox(page)),
  ]
}

/** No mailbox answers here, so that the browser meets a made-up one. */
async function workOnMailbox(page: Page): Promise<Call[]> {
  const mailbox = {
    ...{ provider: 'google', host: 'imap.gmail.com', port: 993, security: 'tls', folder: 'INBOX' },
    ...{ user: 'office@agency.test', address: 'office@agency.test' },
  }
  const since = '2026-11-01T00:00:00.000Z'
  const state = {
    ...{ source: 'none', mailbox: null, plusAddresses: null, connectedAt: null, lastFetchedAt: null },
    ...{ noMailSince: null, failingSince: null, problem: null, reason: null, passedOver: 0 },
    ...{ import: null, trial: null, signIn: null },
  }
  const connected = { ...state, source: 'settings', mailbox, connectedAt: since, noMailSince: since }
  const progress = { from: null, total: 10, done: 1 }
  const account = { signedInAs: 'ada@agency.test', address: 'ada@agency.test' }
  const code = { code: 'ABCD', url: 'https://a.test', expiresAt: '2100-01-01', interval: 60 }
  const signedIn = { ...state, signIn: { ...code, account } }
  const after: Record<string, object> = {
    PUT: connected,
    'POST fetch': connected,
    'POST import': { ...connected, import: { ...progress, state: 'running' } },
    'DELETE import': { ...connected, import: { ...progress, state: 'stopped' } },
    'POST test': connected,
    'POST microsoft': signedIn,
    'PUT microsoft': signedIn,
    'DELETE microsoft': state,
    DELETE: state,
  }
  let now: object = state
  await page.route(/\/api\/settings\/mail-in/, route => {
    const { pathname } = new URL(route.request().url())
    const what = `${route.request().method()} ${pathname.split('/')[4] ?? ''}`.trim()
    now = after[what] ?? now
    return route.fulfill({ json: { success: true, ...now } })
  })
  await page.getByRole('tab', { name: 'Mail', exact: true }).click()
  await page.getByLabel('Microsoft 365').check()
  await page.getByLabel('Application (client) ID').fill('0c9f2d7e-5b1a-4f3d-8a44-5d7f7f0e1a22')
  await page.getByLabel('Directory (tenant) ID').fill('agency.test')
  await press(button(page, 'Get a code'), calls['mailInSettings.beginSignIn'])
  await press(button(page, 'Fetch this mailbox'), calls['mailInSettings.confirmSignIn'])
  await press(button(page, 'Another account'), calls['mailInSettings.cancelSignIn'])
  await page.getByLabel('Google Workspace').check()
  await page.getByLabel('Mailbox', { exact: true }).fill('office@agency.test')
  await page.getByLabel('App password').fill('abcd efgh ijkl mnop')
  await press(button(page, 'Connect'), calls['mailInSettings.change'])
  await press(button(page, 'Try now'), calls['mailInSettings.fetchNow'])
  await press(button(page, 'Import 3 months'), calls['mailInSettings.import'])
  await press(button(page, 'Stop the import'), calls['mailInSettings.stopImport'])
  await press(button(page, 'Try it'), calls['mailInSettings.test'])
  await button(page, 'Disconnect').click()
  await press(button(question(page), 'Disconnect'), calls['mailInSettings.disconnect'])
  await expect(page.getByText('Not connected', { exact: true })).toBeVisible()
  return [
    calls['mailInSettings.beginSignIn'],
    calls['mailInSettings.confirmSignIn'],
    calls['mailInSettings.cancelSignIn'],
    calls['mailInSettings.change'],
    calls['mailInSettings.fetchNow'],
    calls['mailInSettings.import'],
    calls['mailInSettings.stopImport'],
    calls['mailInSettings.test'],
    calls['mailInSettings.disconnect'],
  ]
}

/** As if the test email had gone out: no provider answers here. */
async function showDigits(page: Page) {
  const test = {
    to: 'admin@agency.test',
    at: new Date().toISOString(),
    isOpen: true,
    reason: null,
    code: null,
  }
  await page.route(
    '**/api/settings/smtp',
    async route => {
      const response = await route.fetch()
      const state = await response.json()
      await route.fulfill({ response, json: { ...state, waiting: { ...state.waiting, test } } })
    },
    { times: 1 },
  )
  await page.reload()
}

async function workOnLogs(page: Page): Promise<Call[]> {
  await page.goto('/logs')
  await button(page, 'Delete Old Logs').click()
  await press(button(question(page), 'Delete'), calls['logs.deleteOld'])
  await expect(page.getByText('Logs Deleted')).toBeVisible()
  return [calls['logs.deleteOld']]
}
