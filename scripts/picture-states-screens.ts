import type { Page } from '@playwright/test'
import { showFigures } from './picture-figures.ts'
import { type Change, inOrder, press, type Shot, unfold } from './picture-states.ts'

/** What the contact sheet opens on the screens of the portal: dialogs, filters, toasts and errors. */

/** From the menu of the first row that has the action; a phone has the menu, too. */
const choose = (name: RegExp) => async (page: Page) => {
  for (const menu of await page.locator('.row-menu').all()) {
    await menu.locator('summary').click()
    const action = menu.getByRole('button', { name })
    if (await action.isVisible()) return await action.click()
    await menu.locator('summary').click()
  }
  throw new Error(`No row has ${name}`)
}

/** Presses the button of the open dialog. */
const answer = (name: string) => async (page: Page) => {
  await page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click()
}

const type = (label: string, text: string) => async (page: Page) => {
  await page.getByLabel(label, { exact: true }).fill(text)
}

const check = (label: string) => (page: Page) => page.getByLabel(label).check()

/** A menu of the header: a phone has one more. */
const openMenu = (at: number) => (page: Page) =>
  page.locator('header summary').filter({ visible: true }).nth(at).click()

/** Leaves for another screen by a link of the page. */
const leaveFor = (path: string) => async (page: Page) => {
  await page.locator(`a[href="${path}"]`).first().dispatchEvent('click')
}

/** From now on, the server accepts no write. */
async function failWrites(page: Page) {
  await page.route('**/api/**', async route => {
    if (route.request().method() === 'GET') return await route.fallback()
    await route.fulfill({ status: 503, body: '{"message":"The database is away"}' })
  })
}

/** The screen while its list is still read. */
const loadForever = (path: string, call: string) => async (page: Page) => {
  await page.route(call, () => {})
  await leaveFor(path)(page)
  await page.locator('.skeleton').first().waitFor()
}

/** Somebody saves after their session has ended. Afterwards it is there again, for the next picture. */
async function expireSession(page: Page) {
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await inOrder(type('Name', 'Li Wei'), type('Email', 'li.wei@example.com'), answer('Add User'))(page)
  await page.getByText('Your session has ended').waitFor()
  await page.context().addCookies(cookies)
}

const add = /^Create (Your First )?Token$/
const createToken = inOrder(
  press(add),
  type('Description', 'Shows the newest enquiries at the reception desk'),
  answer('Create Token'),
)

const openCannedReplies = inOrder(
  page => page.locator('.inbox-name a').first().click(),
  press(/^Reply$/),
  press(/canned replies$/),
)

const passwords: Change = inOrder(
  type('Current password', 'x'),
  type('New password', 'Passw0rd!'),
  answer('Save changes'),
)

export const openOnScreens: readonly Shot[] = [
  { path: '/dashboard', name: 'dashboard-figures', open: showFigures },
  { path: '/dashboard', name: 'dashboard-figures-tables', open: inOrder(showFigures, unfold) },
  { path: '/dashboard', name: 'admin-menu', open: openMenu(0) },
  { path: '/dashboard', name: 'account-menu', open: openMenu(1) },
  { path: '/dashboard', name: 'last-menu', open: openMenu(-1) },
  { path: '/dashboard', name: 'loading', open: loadForever('/users', '**/api/users**') },
  { path: '/dashboard?profile=edit', name: 'profile' },
  { path: '/dashboard?profile=edit', name: 'profile-errors', open: passwords },
  { path: '/users?user=new', name: 'add-user' },
  {
    path: '/users?user=new',
    name: 'add-user-errors',
    open: inOrder(check('Set a password'), answer('Add User')),
  },
  {
    path: '/users?user=new',
    name: 'discard-input',
    open: inOrder(type('Name', 'Li Wei'), answer('Cancel')),
  },
  { path: '/users', name: 'edit-user', open: choose(/^Edit: /) },
  { path: '/users', name: 'delete-user', open: choose(/^Delete: /) },
  { path: '/api-tokens', name: 'create-token', open: press(add) },
  { path: '/api-tokens', name: 'new-token', open: createToken },
  { path: '/api-tokens', name: 'revoke-token', open: press(/^Revoke/) },
  { path: '/api-tokens?tab=documentation&call=get-api-messages', name: 'open-call' },
  {
    path: '/settings',
    name: 'settings-errors',
    open: inOrder(type('Site name', ''), type('Keep the system logs for', '1'), press('Save changes')),
  },
  { path: '/settings', name: 'toast', open: inOrder(toggleReview, save) },
  {
    path: '/settings',
    name: 'toast-error',
    open: inOrder(toggleReview, failWrites, save),
  },
  {
    path: '/settings',
    name: 'unsaved-changes',
    open: inOrder(type('Site name', 'Another name'), leaveFor('/dashboard')),
  },
  { path: '/settings?tab=email', name: 'mail-google', open: check('Google Workspace') },
  { path: '/settings?tab=email', name: 'mail-microsoft', open: check('Microsoft 365') },
  { path: '/settings?tab=email', name: 'mail-other', open: check('Another mail server') },
  {
    path: '/settings?tab=email',
    name: 'mail-errors',
    open: inOrder(check('Another mail server'), press('Save mail provider')),
  },
  { path: '/logs', name: 'log-details', open: press(/^View Details of/) },
  { path: '/logs', name: 'delete-logs', open: press('Delete Old Logs') },
  { path: '/logs?level=error&source=Mail', name: 'logs-filtered' },
  { path: '/logs?q=nobody-logs-this', name: 'logs-none' },
  { path: '/messages?q=nobody-writes-this', name: 'messages-none' },
  { path: '/messages', name: 'canned-replies', open: openCannedReplies },
  {
    path: '/messages',
    name: 'edit-canned-replies',
    open: inOrder(openCannedReplies, press('Edit canned replies')),
  },
  {
    path: '/messages',
    name: 'add-canned-reply',
    open: inOrder(openCannedReplies, press('Edit canned replies'), press('Add a canned reply')),
  },
  { path: '/users?user=new', name: 'session-ended', open: expireSession },
]

function toggleReview(page: Page) {
  return page.getByLabel('Publishing needs a second person').click()
}

async function save(page: Page) {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('.toast').waitFor()
}
