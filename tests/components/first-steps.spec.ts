import { expect } from '@playwright/test'
import { samples } from '../../src/features/content-editor/samples/contract.ts'
import { dashboard, type FirstStep, firstSteps } from '../../src/features/dashboard/contract.ts'
import { setUp } from '../../src/features/set-up/contract.ts'
import { type MailState, settings } from '../../src/features/settings/contract.ts'
import type { FakeApi } from './fake-api.ts'
import { ADA, answerPortal } from './portal.ts'
import { test } from './story.ts'

/** Longer than two presses count as a double click. */
const LATER = 400

/** A new installation, of which these things are still to be done. */
function answerSteps(api: FakeApi, listOpen: () => readonly FirstStep[]) {
  answerPortal(api)
  api.on(samples.list, () => ({ samples: [], edited: 0, confirmed: 0 }))
  api.on(dashboard.read, () => ({
    office: { timeZone: 'Australia/Perth', openUntil: null, opensAt: null },
    ...{ attention: null, newest: null, enquiries: null, content: null },
    firstSteps: {
      isPublic: false,
      steps: firstSteps.map(step => {
        const isDone = !listOpen().includes(step)
        const missing = isDone ? [] : [{ label: `Missing: ${step}`, href: '/settings' }]
        return { step, isDone, isNeeded: true, href: '/settings', missing }
      }),
    },
  }))
}

const withoutMail: MailState = {
  ...{
    source: 'mailbox',
    sender: 'desk@agency.test',
    isTested: false,
    host: null,
    smtp: null,
    microsoftMailbox: null,
  },
  ...{ state: 'working', since: null, reason: null, waiting: null },
}

test('the form of the set-up link warns of an address that no email reaches, says that it stays, and takes it', async ({
  page,
  api,
}) => {
  api.on(setUp.open, () => ({}))
  let sent = ''
  api.on(setUp.create, ({ email }) => {
    sent = email
    return { user: ADA }
  })
  await page.goto(`/set-up#${'x'.repeat(43)}`)
  const email = page.getByLabel('Email')
  await expect(email).toHaveAccessibleDescription('It cannot be changed in the portal later, so check it.')
  const warning = page.getByText('You can sign in on this browser only.')
  await email.fill('mei@southernkeel.com.au')
  await expect(warning).toBeHidden()
  await email.fill('mei@southernkeel.Invalid')
  await expect(warning).toContainText('No email reaches an address that ends in .invalid.')
  await page.getByLabel('Your name').fill('Mei Tanaka')
  await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7-Staple!')
  await page.getByRole('button', { name: 'Create my account' }).click()
  await expect.poll(() => sent).toBe('mei@southernkeel.invalid')
})

test('an admin whose address gets no mail reads what to do and what can be done first, and the same count as on the dashboard', async ({
  page,
  api,
}) => {
  answerSteps(api, () => ['admin', 'domain', 'claims'])
  api.on(settings.mail, () => withoutMail)
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'First steps' })).toContainText('9 of 12 done')
  await page.goto('/first-steps/you')
  await expect(page.getByText('9 of 12 done')).toBeVisible()
  await expect(page.getByText('No email reaches an address that ends in .test.')).toBeVisible()
  await expect(page.getByText(`npm run staff:email -- ${ADA.email} NEW`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Missing: domain' }), 'that no step has').toBeVisible()
  await expect(page.getByRole('link', { name: 'Next: Agency' })).toBeVisible()
})

test('mail comes into use in three parts, and the next step waits for the digits or is taken by a link', async ({
  page,
  api,
}) => {
  const open = new Set<FirstStep>(['mail'])
  answerSteps(api, () => [...open])
  let mail = withoutMail
  const waiting = { kind: 'settings' as const, name: 'smtp.gmail.com', test: null }
  const attempt = { to: ADA.email, at: '2026-11-23T02:00:00.000Z', code: null }
  api.on(settings.list, () => ({
    settings: [{ key: 'site_name' as const, value: 'Southern Keel' }],
    fileSpaceUsed: 0,
  }))
  api.on(settings.mail, () => mail)
  api.on(settings.changeMail, () => {
    mail = { ...mail, waiting }
    return mail
  })
  await page.goto('/first-steps/mail')
  for (const part of ['Who carries your mail?', 'A test email to you', 'The six digits from that email'])
    await expect(page.getByRole('heading', { name: part })).toBeVisible()
  await expect(page.getByText('Visitors get no acknowledgement of their enquiry.')).toContainText(
    'Switch it on in Email Settings, once mail works. While the bot check is off, none is sent',
  )
  const next = page.getByRole('button', { name: 'Next: Samples' })
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByLabel('Six digits')).toHaveAttribute('readonly', '')
  await expect(page.getByText('Six digits for the mail of Southern Keel')).toBeVisible()
  await page.getByRole('link', { name: 'Do mail later' }).click()
  await expect(page).toHaveURL(/samples$/)
  await page.goBack()

  await page.getByRole('radio', { name: 'Google Workspace' }).check()
  await page.getByLabel('Google account').fill('desk@agency.test')
  await page.getByLabel('App password').fill('abcdefghijklmnop')
  await page.getByRole('button', { name: 'Save mail provider' }).click()
  api.on(settings.testEmail, () => {
    const reason = 'Wrong password'
    mail = { ...mail, waiting: { ...waiting, test: { ...attempt, isOpen: false, reason } } }
    return { to: ADA.email, transport: 'smtp' as const, digits: true }
  })
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await expect(page.getByText('Nothing was changed: emails stay in a folder on the server')).toBeVisible()
  api.on(settings.testEmail, () => {
    mail = { ...mail, waiting: { ...waiting, test: { ...attempt, isOpen: true, reason: null } } }
    return { to: ADA.email, transport: 'smtp' as const, digits: true }
  })
  await page.waitForTimeout(LATER)
  await page.getByRole('button', { name: 'Send it again' }).click()
  const digits = page.getByLabel('Six digits')
  await expect(digits).toBeFocused()
  await page.evaluate(() => document.execCommand('insertText', false, 'Your digits: 123 456.'))
  await expect(digits).toHaveValue('123456')
  api.on(settings.confirmMail, ({ code }) => {
    expect(code).toBe('123456')
    open.delete('mail')
    open.add('domain')
    mail = { ...withoutMail, source: 'settings', host: 'smtp.gmail.com', isTested: true }
    return mail
  })
  await page.getByRole('button', { name: 'Use this provider' }).click()
  await page.getByRole('link', { name: 'Next: Samples' }).click()
  await expect(page).toHaveURL(/samples$/)
})
