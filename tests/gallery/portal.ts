import type { Page } from '@playwright/test'
import { menuScreens } from '../../src/screens.ts'
import type { Installation } from '../e2e/installation.ts'
import { addStaff } from '../e2e/staff.ts'
import { showFigures } from './figures.ts'
import {
  answer,
  check,
  failReads,
  failWrites,
  inOrder,
  LONG_NAME,
  leaveFor,
  listed,
  openRowMenu,
  overfill,
  press,
  type Screen,
  type State,
  type,
  unfold,
  until,
  untilText,
} from './state.ts'

const screenPaths = [
  ...menuScreens.map(({ path }) => path),
  ...['/settings?tab=email', '/settings?tab=recaptcha', '/settings?tab=email-integration'],
  '/settings?tab=mail',
  '/api-tokens?tab=documentation',
  ...['agency', 'mail'].map(step => `/first-steps/${step}`),
  ...['/content?view=facts', '/content?view=claims', '/content?view=samples'],
  ...['/content?view=pictures', '/content?view=import', '/content?view=addresses'],
]

const offices = new WeakSet<Installation>()

/** In an office of two years, with somebody whose name is long. */
function filled(states: readonly State[]) {
  return async (installation: Installation) => {
    if (!offices.has(installation)) {
      installation.run('seed', ['--messages', '300', '--logs', '500', '--users', '12', '--yes'])
      await addStaff(installation, LONG_NAME, { email_verified: 0 })
      offices.add(installation)
    }
    return states
  }
}

/** From the menu of its row, which a finger reaches, too. */
function choose(name: string) {
  return async (page: Page) => {
    const about = name.replace(/^.*?: /, '')
    await page.locator(`summary[aria-label="Actions: ${about}"]`).first().click()
    await page.locator('.row-menu').getByRole('button', { name, exact: true }).click()
  }
}
/** A menu of the header: a phone has one more. */
function openMenu(at: number) {
  return (page: Page) => page.locator('header summary').filter({ visible: true }).nth(at).click()
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

const changePassword = inOrder(
  type('Current password', 'x'),
  type('New password', 'Passw0rd!'),
  answer('Save changes'),
)

function toggleReview(page: Page) {
  return page.getByLabel('Publishing needs a second person').click()
}

async function save(page: Page) {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('.toast').waitFor()
}

const failAllReads = failReads(/\/api\/(?!auth)/)

/** The screens of the portal beside the inbox and the content: empty, full, failed, with their dialogs and mistakes. */
export const portalScreens: readonly Screen[] = [
  // The first: it finds nothing but the sample content.
  { title: 'The screens of a new installation', as: 'admin', states: listed(screenPaths) },
  {
    title: 'The screens that cannot be read',
    as: 'admin',
    states: async () =>
      screenPaths.map(path => ({
        path,
        before: failAllReads,
        fails: true,
      })),
  },
  {
    title: 'The dashboard, its menus and the profile',
    as: 'admin',
    states: filled([
      { path: '/dashboard' },
      { path: '/dashboard', name: 'rail', largeWidth: 1440 },
      { path: '/dashboard', name: 'dashboard-figures', before: showFigures, open: unfold },
      { path: '/dashboard', name: 'account-menu', open: openMenu(-1) },
      { path: '/dashboard', name: 'first-menu', open: openMenu(0), isNarrow: true },
      { path: '/dashboard', name: 'last-menu', open: openMenu(-1), isNarrow: true },
      { path: '/dashboard', name: 'loading', open: loadForever('/users', '**/api/users**') },
      { path: '/dashboard?profile=edit', name: 'profile', open: until('.profile-session') },
      {
        path: '/dashboard?profile=edit',
        name: 'profile-errors',
        open: inOrder(changePassword, until('.field-error')),
      },
    ]),
  },
  {
    title: 'The screens of a viewer',
    as: 'viewer',
    states: filled([{ path: '/dashboard', name: 'viewer' }]),
  },
  {
    title: 'The users and their dialogs',
    as: 'admin',
    states: filled([
      { path: '/users' },
      { path: '/users', name: 'user-menu', open: openRowMenu },
      { path: '/users?user=new', name: 'add-user' },
      {
        path: '/users?user=new',
        name: 'add-user-errors',
        open: inOrder(check('Set a password'), answer('Add User'), until('.field-error')),
      },
      {
        path: '/users?user=new',
        name: 'discard-input',
        open: inOrder(type('Name', 'Li Wei'), answer('Cancel'), until('[role=alertdialog]')),
      },
      { path: '/users', name: 'edit-user', open: choose(`Edit: ${LONG_NAME}`) },
      { path: '/users', name: 'delete-user', open: choose(`Delete: ${LONG_NAME}`) },
      {
        path: '/users?user=new',
        name: 'session-ended',
        // It would notice first, and leave.
        before: page => page.route('**/api/events', route => route.abort()),
        open: expireSession,
        fails: true,
      },
    ]),
  },
  {
    title: 'The API tokens, their dialogs and their reference',
    as: 'admin',
    states: filled([
      { path: '/api-tokens', name: 'create-token', open: press(add) },
      { path: '/api-tokens', name: 'new-token', open: createToken },
      { path: '/api-tokens', name: 'tokens' },
      { path: '/api-tokens?tab=documentation&call=get-api-messages', name: 'open-call' },
      { path: '/api-tokens?tab=documentation&call=post-api-admin-tokens', name: 'call-with-body' },
      { path: '/api-tokens', name: 'revoke-token', open: press(/^Revoke/) },
    ]),
  },
  {
    title: 'The settings, their tabs and their mistakes',
    as: 'admin',
    states: filled([
      ...[
        ['/settings', 'Site name'],
        ['/settings?tab=email', 'Form email'],
        ['/settings?tab=recaptcha', 'Secret key'],
        ['/settings?tab=email-integration', 'Mailchimp Transactional API key'],
      ].map(([path = '', field = '']) => ({
        path,
        name: `${field}-error`,
        open: inOrder(overfill(field), press('Save changes'), until('.field-error')),
      })),
      { path: '/settings', name: 'toast', open: inOrder(toggleReview, save) },
      { path: '/settings', name: 'toast-error', open: inOrder(toggleReview, failWrites, save), fails: true },
      {
        path: '/settings',
        name: 'unsaved-changes',
        open: inOrder(type('Site name', 'Another name'), leaveFor('/messages'), until('[role=alertdialog]')),
      },
      ...['Google Workspace', 'Microsoft 365, by password', 'Another mail server'].map(provider => ({
        path: '/settings?tab=email',
        name: `${provider}-errors`,
        open: inOrder(check(provider), press('Save mail provider'), until('.settings-mail .field-error')),
      })),
      {
        path: '/settings?tab=email',
        name: 'microsoft-by-sign-in',
        open: inOrder(
          check('Microsoft 365, by sign-in'),
          press('Save mail provider'),
          until('.settings-mail [role=alert]'),
        ),
      },
      {
        path: '/settings?tab=mail',
        name: 'microsoft-errors',
        open: inOrder(check('Microsoft 365'), press('Get a code'), until('.field-error')),
      },
      {
        path: '/settings?tab=email',
        name: 'test-email',
        open: inOrder(press('Send a test email'), untilText('Test email sent to')),
      },
    ]),
  },
  {
    title: 'The log, its filters and its dialogs',
    as: 'admin',
    states: filled([
      { path: '/logs' },
      { path: '/logs?level=error&source=Mail', name: 'logs-filtered' },
      { path: '/logs?q=nobody-logs-this', name: 'logs-none' },
      { path: '/logs', name: 'log-details', open: press(/^View Details of/) },
      { path: '/logs', name: 'delete-logs', open: press('Delete Old Logs') },
    ]),
  },
]
