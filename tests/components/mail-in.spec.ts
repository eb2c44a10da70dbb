import { expect, type Page } from '@playwright/test'
import { defaultSettings, settingKeys, settings } from '../../src/features/settings/contract.ts'
import {
  type MailInState,
  mailInSettings,
  type Stop,
  stops,
} from '../../src/features/settings/mail-in/contract.ts'
import { type FakeApi, Refusal } from './fake-api.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

const ADDRESS = 'desk@agency.test'
const NONE: MailInState = {
  ...{ source: 'none', mailbox: null, plusAddresses: null, connectedAt: null, lastFetchedAt: null },
  ...{ noMailSince: null, failingSince: null, problem: null, reason: null, passedOver: 0 },
  ...{ import: null, trial: null, signIn: null },
}
const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000).toISOString()
const connected = (): MailInState => ({
  ...NONE,
  source: 'settings',
  mailbox: {
    ...{ provider: 'google', host: 'imap.gmail.com', port: 993, security: 'tls' },
    ...{ user: ADDRESS, folder: 'INBOX', address: ADDRESS },
  },
  connectedAt: minutesAgo(90),
  lastFetchedAt: minutesAgo(1),
})

function answer(api: FakeApi, start: MailInState) {
  answerPortal(api)
  let state = start
  const values = { ...defaultSettings({ form_email: ADDRESS, site_name: 'Landfall', contact_phone: '' }) }
  api.on(settings.list, () => ({
    settings: Object.entries(values).flatMap(([name, value]) =>
      settingKeys.filter(key => key === name).map(key => ({ key, value })),
    ),
    fileSpaceUsed: 0,
  }))
  api.on(settings.mail, () => ({
    ...{ source: 'environment' as const, sender: ADDRESS, isTested: true, host: null },
    state: 'working' as const,
    ...{ since: null, reason: null, waiting: null, smtp: null, microsoftMailbox: null },
  }))
  api.on(mailInSettings.read, () => state)
  return (next: MailInState) => {
    state = next
    return next
  }
}

const stopsOf = (states: Partial<Record<Stop['name'], Partial<Stop>>>): Stop[] =>
  stops.map(name => ({
    ...{ name, state: 'waiting' as const, time: null, words: null, problem: null },
    ...states[name],
  }))

test('a mailbox is connected by numbered steps, and a sign-in that fails says what to do and keeps what was typed', async ({
  page,
  api,
}) => {
  const become = answer(api, NONE)
  api.on(mailInSettings.change, ({ password }) =>
    password === 'right'
      ? become(connected())
      : new Refusal(503, { message: 'The mail server did not accept it', code: 'mail_in_credentials' }),
  )
  await page.goto('/settings?tab=mail')
  await expect(page.getByRole('heading', { name: 'Mail in' })).toBeVisible()
  await expect(page.getByText('Not connected', { exact: true })).toBeVisible()
  await page.getByLabel('Mailbox', { exact: true }).fill(ADDRESS)
  await page.getByLabel('App password').fill('wrong')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const failure = page.getByRole('alert').filter({ hasText: 'Nothing was changed' })
  await expect(failure).toContainText('Google wants an app password')
  await expect(page.getByLabel('Mailbox', { exact: true })).toHaveValue(ADDRESS)
  await page.getByLabel('App password').fill('right')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(toast(page)).toContainText('Mail is fetched from now on')
  await expect(page.getByText(/^Last fetched/)).toBeVisible()
  await expect(page.getByLabel('App password')).toHaveValue('')
  await expect(page.getByText('desk+token@agency.test')).toBeVisible()
})

test('another mailbox has its own steps and fields', async ({ page, api }) => {
  const become = answer(api, NONE)
  let sent: unknown
  api.on(mailInSettings.change, change => {
    sent = change
    return become(connected())
  })
  await page.goto('/settings?tab=mail')
  await page.getByLabel('Another mailbox (IMAP)').check()
  await page.getByLabel('Server name').fill('imap.agency.test')
  await page.getByLabel('User name').fill('desk')
  await page.getByLabel('Password', { exact: true }).fill('secret')
  await page.getByLabel('Email address').fill(ADDRESS)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(toast(page)).toBeVisible()
  expect(sent).toEqual({
    ...{ provider: 'imap', host: 'imap.agency.test', security: 'tls', user: 'desk' },
    ...{ password: 'secret', folder: 'INBOX', address: ADDRESS },
  })
})

test('a test email is followed, and the stop that fails is distinguished with its remedy', async ({
  page,
  api,
}) => {
  const become = answer(api, connected())
  const trial = { startedAt: minutesAgo(0), by: 'Ada Admin' }
  const signedIn = { state: 'done', time: 412 } as const
  api.on(mailInSettings.test, () =>
    become({
      ...connected(),
      trial: {
        ...trial,
        isRunning: true,
        stops: stopsOf({ 'sign-in': signedIn, sent: { state: 'running' } }),
      },
    }),
  )
  await page.goto('/settings?tab=mail')
  const card = page.getByRole('region', { name: 'Try it' })
  await card.getByRole('button', { name: 'Try it' }).click()
  await expect(card.getByRole('button', { name: 'Trying …' })).toBeVisible()
  await expect(card.getByText('0.4 s')).toBeVisible()
  const failed = {
    state: 'failed',
    time: 900,
    words: 'Too many connections',
    problem: 'connections',
  } as const
  become({
    ...connected(),
    trial: { ...trial, isRunning: false, stops: stopsOf({ 'sign-in': signedIn, sent: failed }) },
  })
  await expect(card.getByText('Close one other mail program')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Try it again' })).toBeVisible()
})

test('an alert says since when no mail came, in the settings and in the rail, and a press tries again', async ({
  page,
  api,
}) => {
  const since = minutesAgo(22)
  const failing = { failingSince: since, reason: 'The mail server closed the connection', problem: 'answer' }
  const become = answer(api, { ...connected(), lastFetchedAt: since, noMailSince: since, ...failing })
  api.on(settings.mailStatus, () => ({
    ...{
      state: 'working' as const,
      since: null,
      reason: null,
      isWaiting: false,
      admins: [],
      noMailSince: since,
    },
  }))
  api.on(mailInSettings.fetchNow, () => become(connected()))
  await page.setViewportSize({ width: 1440, height: 960 })
  await page.goto('/settings?tab=mail')
  await expect(page.getByText('No mail has been fetched for 22 minutes.')).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: 'Screens' }).getByText('No mail for 22 minutes'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByText('No mail has been fetched')).toBeHidden()
})

test('earlier mail is imported with its progress and stopped, and disconnecting asks first', async ({
  page,
  api,
}) => {
  const become = answer(api, connected())
  const running = { state: 'running', from: null, total: 1200, done: 300 } as const
  api.on(mailInSettings.import, () => become({ ...connected(), import: running }))
  api.on(mailInSettings.stopImport, () =>
    become({ ...connected(), import: { ...running, state: 'stopped' } }),
  )
  api.on(mailInSettings.disconnect, () => become(NONE))
  await page.goto('/settings?tab=mail')
  await page.getByRole('button', { name: 'Import 12 months' }).click()
  await expect(page.getByText('300 of 1,200')).toBeVisible()
  await page.getByRole('button', { name: 'Stop the import' }).click()
  await expect(page.getByText('Stopped after 300 of 1,200.')).toBeVisible()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(toast(page)).toContainText('What came stays')
  await expect(page.getByText('Not connected', { exact: true })).toBeVisible()
})

const APP = { tenant: 'agency.onmicrosoft.com', client: '0c9f2d7e-5b1a-4f3d-8a44-5d7f7f0e1a22' }
const atMicrosoft = (signedInAt = minutesAgo(90)): MailInState => ({
  ...connected(),
  mailbox: {
    ...{ provider: 'microsoft', host: 'graph.microsoft.com', port: 443, security: 'tls' },
    ...{ user: ADDRESS, folder: 'Inbox', address: ADDRESS },
    microsoft: { ...APP, isShared: true, signedInAs: 'ada@agency.test', signedInAt },
  },
})
const SIGNED_IN = { signedInAs: 'ada@agency.test', address: ADDRESS }
const codeFor = (seconds: number, account: typeof SIGNED_IN | null = null) => ({
  ...{ code: 'FRC8XBG2W', url: 'https://microsoft.com/devicelogin', interval: 1, account },
  expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
})

async function enterApp(page: Page) {
  await page.goto('/settings?tab=mail')
  await page.getByLabel('Microsoft 365').check()
  await page.getByLabel('Application (client) ID').fill(APP.client)
  await page.getByLabel('Directory (tenant) ID').fill(APP.tenant)
}

test('a mailbox of Microsoft 365 is connected with a code, which is asked about until somebody has signed in', async ({
  page,
  api,
}) => {
  const become = answer(api, NONE)
  let [checks, account]: [number, typeof SIGNED_IN | null] = [0, null]
  api.on(mailInSettings.beginSignIn, () => become({ ...NONE, signIn: codeFor(900) }))
  api.on(mailInSettings.checkSignIn, () => {
    checks++
    return become({ ...NONE, signIn: codeFor(900, account) })
  })
  api.on(mailInSettings.confirmSignIn, () => become(atMicrosoft()))
  await enterApp(page)
  await expect(page.getByText('lets no program read mail with a password')).toBeVisible()
  await page.getByLabel('Shared mailbox').fill(ADDRESS)
  await page.getByRole('button', { name: 'Get a code' }).click()
  await expect(page.getByLabel('Code', { exact: true })).toHaveText('FRC8XBG2W')
  await expect(page.getByRole('link', { name: 'microsoft.com/devicelogin' })).toBeVisible()
  await expect(page.getByText('The code works for 15 more minutes.')).toBeVisible()
  await expect.poll(() => checks).toBeGreaterThan(1)
  account = SIGNED_IN
  await expect(page.getByRole('heading', { name: 'Look at the account' })).toBeVisible()
  await expect(
    page.getByText('ada@agency.test has signed in, and may read the mailbox desk@agency.test.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Fetch this mailbox' }).click()
  await expect(toast(page)).toContainText('Mail is fetched from now on')
  await expect(page.getByText('ada@agency.test signed in on')).toBeVisible()
  expect(api.sent).toContainEqual({ ...APP, mailbox: ADDRESS })
})

test('a code that is declined or runs out says so, and a new one is a press away', async ({ page, api }) => {
  const become = answer(api, NONE)
  let lifetime = 900
  api.on(mailInSettings.beginSignIn, () => become({ ...NONE, signIn: codeFor(lifetime) }))
  api.on(mailInSettings.checkSignIn, () => {
    become(NONE)
    return new Refusal(503, { message: 'The sign-in at Microsoft was declined', code: 'mail_in_declined' })
  })
  await enterApp(page)
  await page.getByRole('button', { name: 'Get a code' }).click()
  await expect(page.getByRole('alert')).toContainText('accept what Microsoft asks')
  lifetime = 1
  await page.getByRole('button', { name: 'New code' }).click()
  await expect(page.getByText('The code has expired, and nothing was changed.')).toBeVisible()
  await expect(page.getByLabel('Directory (tenant) ID')).toHaveValue(APP.tenant)
})

test('a sign-in that has ended at Microsoft is said, and made good with what is entered there', async ({
  page,
  api,
}) => {
  const since = minutesAgo(22)
  const ended = { failingSince: since, noMailSince: since, problem: 'consent' }
  const become = answer(api, {
    ...atMicrosoft(),
    ...ended,
    reason: 'Microsoft wants somebody to sign in again',
  })
  api.on(mailInSettings.beginSignIn, () => become({ ...atMicrosoft(), ...ended, signIn: codeFor(900) }))
  const own = { ...SIGNED_IN, address: SIGNED_IN.signedInAs }
  api.on(mailInSettings.checkSignIn, () => become({ ...atMicrosoft(), ...ended, signIn: codeFor(900, own) }))
  api.on(mailInSettings.confirmSignIn, () => become(atMicrosoft(minutesAgo(0))))
  await page.goto('/settings?tab=mail')
  await expect(page.getByText('Nothing is lost: emails wait in the mailbox. Get a new code')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await expect(page.getByText('Mail to desk@agency.test is no longer fetched then.')).toBeVisible()
  await page.getByRole('button', { name: 'Fetch this mailbox' }).click()
  await expect(toast(page)).toContainText('The sign-in worked')
  expect(api.sent).toContainEqual({ ...APP, mailbox: ADDRESS })
})
