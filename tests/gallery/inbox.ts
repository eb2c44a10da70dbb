import type { Page } from '@playwright/test'
import { chooseDelete, openForwardMenu } from '../e2e/inbox.ts'
import type { Installation } from '../e2e/installation.ts'
import { answer, fillInbox, look } from './inbox-rows.ts'
import {
  type Change,
  failReads,
  inOrder,
  openRowMenu,
  press,
  type Screen,
  type State,
  untilText,
} from './state.ts'

const messagePath = (id: string) => `/messages?message=${id}`
const paneOf = (page: Page) => page.getByRole('dialog', { name: /^Message from/ })

/** Until it can be answered. */
const ready: Change = page => page.locator('.inbox-pane-toolbar summary').first().waitFor()

function seen(installation: Installation, { open, colleague }: { open: string; colleague: string }): Change {
  return async page => {
    await look(installation, open, colleague)
    await page.reload()
    await page.getByText('Mei is looking').waitFor()
  }
}

/** Until the draft is saved: a save on its way would be another window's to the page that is loaded next. */
const write =
  (key: string, text: string): Change =>
  async page => {
    await page.locator('.inbox-pane h2').focus()
    await page.keyboard.press(key)
    await page.locator('.inbox-composer-text').fill(text)
    await page.getByText(/^Draft saved/).waitFor()
  }

/** In a wide window they are open. */
async function openDetails(page: Page) {
  const summary = page.locator('.inbox-pane-details > summary')
  if (await summary.isVisible()) await summary.click()
}

/** In a narrow window the open message lies over the rows. */
const hoverRow: Change = page => page.locator('.inbox-name').nth(1).hover({ force: true })

async function select(page: Page) {
  const toggle = page.getByRole('button', { name: 'Select', exact: true })
  if (await toggle.isVisible()) await toggle.click()
  for (const at of [0, 1, 2]) await page.locator('tbody .inbox-select input').nth(at).check()
}

const bulk =
  (name: string): Change =>
  page =>
    page.locator('.inbox-bulk').getByRole('button', { name, exact: true }).click()

const openComposerMenu =
  (name: string): Change =>
  page =>
    page.locator('.inbox-composer-foot summary', { hasText: name }).click()
const openCanned: Change = page => page.locator('.inbox-canned-all').click()

/** Above the list or in the rail, whichever the window has. */
const pressShown =
  (name: string): Change =>
  page =>
    page.getByRole('button', { name, exact: true }).filter({ visible: true }).click()

const openSaveView: Change = page => page.locator('.inbox-save-view').click()

const BULK = '**/api/messages/bulk'

function attach(name: string): Change {
  return async page => {
    const file = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
    await page.getByLabel('Files of the reply').last().setInputFiles(file)
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
  }
}

/** The change gets no reply. */
const hang: Change = page => page.route(BULK, () => {})
const reported: Change = page => page.getByText('enquiries marked as read').waitFor()

/** A message in each state, and what opens on the list and on it. */
export const inboxScreens: readonly Screen[] = [
  {
    title: 'The inbox, its menus and its bulk actions',
    as: 'admin',
    async states(installation) {
      const { overdue } = await fillInbox(installation)
      return [
        { path: '/messages?status=all', name: 'list' },
        { path: '/messages?q=kookaburra', name: 'nothing-found' },
        { path: '/messages?tag=family&isRead=false', name: 'filtered' },
        { path: '/messages?q=Partner%2C', name: 'saved-view' },
        { path: '/messages?tag=family&isRead=false', name: 'save-view', open: openSaveView },
        { path: '/messages?q=Partner%2C', name: 'edit-views', open: pressShown('Edit saved views') },
        { path: '/messages?status=spam', name: 'spam-view' },
        { path: '/messages?snoozed=true', name: 'snoozed-view' },
        { path: '/messages?letter=failed', name: 'unsent-view', open: untilText('Hana Nguyen') },
        {
          path: '/messages',
          name: 'list-error',
          before: failReads(/\/api\/messages(\?|$)/),
          open: untilText('Failed to fetch messages'),
          fails: true,
        },
        { path: '/messages', name: 'row-actions', open: hoverRow },
        { path: messagePath(overdue), name: 'row-actions-beside', open: hoverRow },
        { path: '/messages', name: 'row-menu', open: openRowMenu },
        { path: '/messages', name: 'keys', open: page => page.keyboard.press('?') },
        { path: '/messages', name: 'bulk', open: select },
        { path: '/messages', name: 'bulk-narrow', open: select, isNarrow: true },
        { path: '/messages', name: 'bulk-assign', open: inOrder(select, bulk('Assign')) },
        { path: '/messages', name: 'bulk-tag', open: inOrder(select, bulk('Tag')) },
        { path: '/messages', name: 'bulk-delete', open: inOrder(select, bulk('Delete')) },
        { path: '/messages', name: 'bulk-progress', open: inOrder(select, hang, bulk('Mark read')) },
        { path: '/messages', name: 'bulk-report', open: inOrder(select, bulk('Mark read'), reported) },
      ]
    },
  },
  {
    title: 'An open message, long, overdue, spam or not to be read',
    as: 'admin',
    async states(installation) {
      const shown = await fillInbox(installation)
      return [
        { path: messagePath(shown.open), name: 'open', open: seen(installation, shown) },
        { path: messagePath(shown.overdue), name: 'overdue' },
        { path: messagePath(shown.unsent), name: 'unsent', open: untilText('Not delivered') },
        { path: messagePath(shown.spam), name: 'spam' },
        { path: messagePath(shown.long), name: 'long' },
        { path: messagePath(shown.texts), name: 'long-texts' },
        { path: messagePath(shown.mail), name: 'mail', open: press('Show formatting') },
        {
          path: messagePath(shown.open),
          name: 'open-error',
          before: failReads(/\/api\/messages\/[^/]+$/),
          open: untilText('could not be opened'),
          fails: true,
        },
      ]
    },
  },
  {
    title: 'The menus of a message, the reply, the note and the canned replies',
    as: 'admin',
    async states(installation) {
      const shown = await fillInbox(installation)
      const open = (name: string, ...changes: readonly Change[]): State => ({
        path: messagePath(shown.open),
        name,
        open: inOrder(ready, ...changes),
      })
      return [
        open('details', openDetails),
        open('revoke-links', openDetails, press('Revoke the link …')),
        ...['a', 's', '#', 'f'].map((key, at) =>
          open(`menu-${['assign', 'snooze', 'tag', 'forward'][at]}`, page => page.keyboard.press(key)),
        ),
        open('forward', async page => {
          await (await openForwardMenu(paneOf(page))).waitFor()
          await page.getByRole('button', { name: 'To a colleague' }).click()
        }),
        open('delete', page => chooseDelete(paneOf(page))),
        open('download', async page => {
          await paneOf(page).getByLabel('More actions').click()
          await page.getByRole('button', { name: 'Download …' }).click()
        }),
        open('canned', write('r', 'Hello Nadia.'), openCanned),
        open('canned-replies', write('r', 'Hello Nadia.'), openCanned, press('Edit canned replies')),
        open(
          'canned-reply',
          write('r', 'Hello Nadia.'),
          openCanned,
          press('Edit canned replies'),
          press('Add a canned reply'),
        ),
        open('note', write('n', 'If she names a school, Aroha takes it.')),
        open('note-names', write('n', 'Ask @Nobody or @'), page => page.getByRole('listbox').waitFor()),
        open(
          'reply',
          write('r', 'Hello Nadia, does your sister plan to study here? '.repeat(5)),
          attach('Form 888, statement by a supporting witness.pdf'),
          openComposerMenu('Attach'),
        ),
        open('send-later', write('r', 'Hello Nadia.'), openComposerMenu('Send later')),
        {
          ...open('conflict', write('r', 'Our fees are on the site.'), async page => {
            await answer(installation, shown.open, shown.colleague)
            await page.keyboard.press('Control+Enter')
            await page.getByRole('button', { name: 'Send anyway' }).waitFor()
          }),
          fails: true,
        },
        {
          path: messagePath(shown.overdue),
          name: 'undo',
          open: inOrder(ready, write('r', 'Thank you for asking.'), async page => {
            await page.keyboard.press('Control+Enter')
            await page.getByText(/Sending in/).waitFor()
          }),
        },
        open('scheduled', write('r', 'Hello Nadia.'), openComposerMenu('Send later'), async page => {
          await page.getByRole('button', { name: /^Tomorrow/ }).click()
          await page.getByText(/Your reply goes out/).waitFor()
        }),
      ]
    },
  },
  {
    title: 'The inbox of a viewer',
    as: 'viewer',
    async states(installation) {
      const shown = await fillInbox(installation)
      return [
        { path: '/messages', name: 'viewer' },
        { path: messagePath(shown.open), name: 'viewed' },
      ]
    },
  },
]
