import type { Page } from '@playwright/test'
import { openForwardMenu } from '../tests/e2e/inbox.ts'
import type { Installation } from '../tests/e2e/installation.ts'
import { answer, fillInbox, look } from './inbox-rows.ts'
import type { Change, Shot } from './picture-states.ts'

/** What the contact sheet shows of the inbox: its list, the open message and what opens on both. */

/** The list and the open message as they come. */
export async function inboxScreens(installation: Installation): Promise<readonly Shot[]> {
  const shown = await fillInbox(installation)
  return [
    { path: '/messages', name: 'list' },
    { path: '/messages?q=kookaburra', name: 'nothing-found' },
    { path: '/messages?tag=family&isRead=false', name: 'filtered' },
    { path: '/messages?status=spam', name: 'spam-view' },
    { path: '/messages?snoozed=true', name: 'snoozed-view' },
    {
      path: '/messages',
      name: 'list-error',
      open: failing(/\/api\/messages(\?|$)/, 'Failed to fetch messages'),
    },
    { path: messagePath(shown.open), name: 'open', open: seen(installation, shown) },
    { path: messagePath(shown.overdue), name: 'overdue' },
    { path: messagePath(shown.spam), name: 'spam' },
    { path: messagePath(shown.long), name: 'long' },
    { path: messagePath(shown.texts), name: 'long-texts' },
    { path: '/messages', name: 'row-actions', open: hoverRow },
    { path: messagePath(shown.overdue), name: 'row-actions-beside', open: hoverRow },
    {
      path: messagePath(shown.open),
      name: 'open-error',
      open: failing(/\/api\/messages\/[^/]+$/, 'could not be opened'),
    },
  ]
}

/** What opens on the list and on a message. */
export async function inboxOpened(installation: Installation): Promise<readonly Shot[]> {
  const shown = await fillInbox(installation)
  const open = (name: string, ...changes: readonly Change[]) => ({
    path: messagePath(shown.open),
    name,
    open: sequence(ready, ...changes),
  })
  return [
    { path: '/messages', name: 'row-menu', open: openRowMenu },
    { path: '/messages', name: 'keys', open: page => page.keyboard.press('?') },
    { path: '/messages', name: 'bulk', open: select },
    { path: '/messages', name: 'bulk-assign', open: sequence(select, bulk('Assign')) },
    { path: '/messages', name: 'bulk-tag', open: sequence(select, bulk('Tag')) },
    { path: '/messages', name: 'bulk-delete', open: sequence(select, bulk('Delete')) },
    { path: '/messages', name: 'bulk-progress', open: sequence(select, hang, bulk('Mark read')) },
    {
      path: '/messages',
      name: 'bulk-report',
      open: sequence(select, bulk('Mark read'), reported),
    },
    open('details', openDetails),
    ...['a', 's', '#', 'f'].map((key, at) =>
      open(`menu-${['assign', 'snooze', 'tag', 'forward'][at]}`, page => page.keyboard.press(key)),
    ),
    open('forward', async page => {
      await (await openForwardMenu(paneOf(page))).waitFor()
      await page.getByRole('button', { name: 'To a colleague' }).click()
    }),
    open('delete', page => paneOf(page).getByRole('button', { name: 'Delete', exact: true }).click()),
    open('canned', write('r', 'Hello Nadia.'), page => page.locator('.inbox-canned-all').click()),
    open('note', write('n', 'If she names a school, Aroha takes it.')),
    open('reply', write('r', 'Hello Nadia, does your sister plan to study here? '.repeat(5))),
    open('conflict', write('r', 'Our fees are on the site.'), async page => {
      await answer(installation, shown.open, shown.colleague)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: 'Send anyway' }).waitFor()
    }),
    {
      path: messagePath(shown.overdue),
      name: 'undo',
      open: sequence(ready, write('r', 'Thank you for asking.'), async page => {
        await page.keyboard.press('Control+Enter')
        await page.getByText(/Sending in/).waitFor()
      }),
    },
  ]
}

const messagePath = (id: string) => `/messages?message=${id}`
const paneOf = (page: Page) => page.getByRole('dialog', { name: /^Message from/ })

function sequence(...changes: readonly Change[]): Change {
  return async page => {
    for (const change of changes) await change(page)
  }
}

/** Until it can be answered. */
const ready: Change = page => page.locator('.inbox-pane-toolbar summary').first().waitFor()

function seen(installation: Installation, { open, colleague }: { open: string; colleague: string }): Change {
  return async page => {
    await look(installation, open, colleague)
    await page.reload()
    await page.getByText('Mei is looking').waitFor()
  }
}

/** Reads from this address fail until the picture is open. */
function failing(address: RegExp, text: string): Change {
  return async page => {
    await page.route(address, route =>
      route.fulfill({ status: 503, body: '{"message":"The database is away"}' }),
    )
    await page.reload()
    await page.getByText(text).first().waitFor()
    await page.unroute(address)
  }
}

const write =
  (key: string, text: string): Change =>
  async page => {
    await page.locator('.inbox-pane h2').focus()
    await page.keyboard.press(key)
    await page.locator('.inbox-composer-text').fill(text)
  }

/** In a wide window they are open. */
async function openDetails(page: Page) {
  const summary = page.locator('.inbox-pane-details > summary')
  if (await summary.isVisible()) await summary.click()
}

/** In a narrow window the open message lies over the rows. */
const hoverRow: Change = page => page.locator('.inbox-name').nth(1).hover({ force: true })

async function openRowMenu(page: Page) {
  await page.locator('.row-menu > summary').nth(1).click()
}

async function select(page: Page) {
  const toggle = page.getByRole('button', { name: 'Select', exact: true })
  if (await toggle.isVisible()) await toggle.click()
  for (const at of [0, 1, 2]) await page.locator('tbody .inbox-select input').nth(at).check()
}

const bulk =
  (name: string): Change =>
  page =>
    page.locator('.inbox-bulk').getByRole('button', { name, exact: true }).click()

const BULK = '**/api/messages/bulk'

/** The change gets no reply. */
const hang: Change = page => page.route(BULK, () => {})
const reported: Change = page => page.getByText('messages marked as read').waitFor()
