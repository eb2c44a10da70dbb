import { expect, type Page } from '@playwright/test'
import { newMessages } from '../support/messages.ts'
import { expectNoComplaints } from './axe.ts'
import { fill, named } from './inbox.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { withDatabase } from './staff.ts'

const test = testApart()

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const message = (page: Page, name: string) => page.getByRole('dialog', { name: `Message from ${name}` })
const rail = (page: Page) => page.getByRole('navigation', { name: 'Screens' })

async function change(installation: Installation, id: string | undefined, values: object) {
  await withDatabase(installation, db =>
    db
      .updateTable('messages')
      .set(values)
      .where('id', '=', id ?? '')
      .execute(),
  )
}

test.describe('in a wide window', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('somebody reads two messages beside the list, searches and switches off single keys, by keyboard alone', async ({
    page,
    installation,
  }) => {
    await signIn(page, installation)
    await fill(installation, named('Ana', 6))
    await page.goto('/messages')
    await expect(link(page, 'Ana 0')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const title = message(page, 'Ana 1').getByRole('heading', { name: 'Message from Ana 1' })
    await expect(title).toBeFocused()
    await expect(row(page, 'Ana 1')).toHaveAttribute('aria-current', 'true')
    // The list is in use beside it.
    await link(page, 'Ana 3').focus()
    await page.keyboard.press('Delete')
    await page.keyboard.press('f')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(message(page, 'Ana 4')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('?')
    await expect(page.getByRole('searchbox')).toHaveValue('?')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/\/messages$/)
    await expect(link(page, 'Ana 0')).toBeFocused()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.getByRole('checkbox').press('Space')
    await page.keyboard.press('Escape')
    for (const key of ['?', '/', 'f']) await page.keyboard.press(key)
    await expect(link(page, 'Ana 0')).toBeFocused()
    await expect(keys).toHaveCount(0)
    await page.getByRole('button', { name: 'All keys' }).press('Enter')
    await keys.getByRole('checkbox').press('Space')
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
  })

  test('the focus stays with its message, and a press that was aimed at another row does nothing', async ({
    page,
    installation,
  }) => {
    await signIn(page, installation)
    await fill(installation, named('Ana', 30))
    await page.goto('/messages')
    const last = link(page, 'Ana 19')
    await last.focus()
    const remove = 'Delete message from New'
    await page.evaluate(label => {
      const click = () => new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 })
      const press = () => document.querySelector(`[aria-label="${label}"]`)?.dispatchEvent(click())
      new MutationObserver(press).observe(document.body, { childList: true, subtree: true })
    }, remove)
    await withDatabase(installation, db =>
      db
        .insertInto('messages')
        .values(newMessages(new Date(), [{ name: 'New' }]))
        .execute(),
    )
    await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click')
    await expect(page.locator('tr[aria-rowindex="22"]')).toContainText('Ana 19')
    await expect(last).toBeFocused()
    const question = page.getByRole('alertdialog')
    await expect(question).toHaveCount(0)
    await expect(async () => {
      await page.getByRole('button', { name: remove }).click()
      await expect(question).toContainText('from New?', { timeout: 1000 })
    }).toPass()
  })

  test('a press in the moment in which the list becomes narrow opens no other message', async ({
    page,
    installation,
  }) => {
    await signIn(page, installation)
    await fill(installation, named('Ana', 3))
    await page.goto('/messages')
    await link(page, 'Ana 0').waitFor()
    const opened = await page.evaluate(async () => {
      const linkOf = (name: string) =>
        [...document.querySelectorAll<HTMLElement>('.inbox a')].find(it => it.textContent === name)
      const click = (name: string) =>
        linkOf(name)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))
      const narrow = new Promise(resolve => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('.screen-head[data-beside]')) resolve(observer.disconnect())
        })
        observer.observe(document.body, { subtree: true, attributes: true })
      })
      click('Ana 0')
      await narrow
      const before = location.search
      click('Ana 1')
      return [before, location.search]
    })
    expect(opened[0]).toContain('message=')
    expect(opened[1]).toBe(opened[0])
    await expect(async () => {
      await link(page, 'Ana 1').click()
      await expect(message(page, 'Ana 1')).toBeVisible({ timeout: 1000 })
    }).toPass()
  })

  test('the views in the rail show their messages, how many there are, and why there are none', async ({
    page,
    installation,
  }) => {
    await signIn(page, installation)
    const [late, , waiting] = await fill(installation, named('Ana', 4))
    await change(installation, late, { due_at: new Date(Date.now() - 5.5 * 3600 * 1000).toISOString() })
    await change(installation, waiting, { status: 'waiting' })
    await page.goto('/messages')
    await expect(page.getByRole('main').getByText('3 open, 4 unread')).toBeVisible()
    await expect(row(page, 'Ana 0')).toContainText('Overdue 5 h')
    await rail(page).getByRole('link', { name: 'Overdue 1' }).click()
    await expect(page).toHaveURL(/\/messages\?overdue=true$/)
    await expect(page.locator('tbody tr')).toHaveCount(1)
    await expect(rail(page).getByRole('link', { name: 'Overdue 1' })).toHaveAttribute('aria-current', 'true')
    await rail(page).getByRole('link', { name: 'Waiting 1' }).click()
    await expect(page).toHaveURL(/status=waiting&order=activity$/)
    await expect(row(page, 'Ana 2')).toBeVisible()
    await rail(page).getByRole('link', { name: 'Mine' }).click()
    await expect(page.getByText('No open enquiry is assigned to you.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all messages' }).click()
    await expect(row(page, 'Ana 3')).toBeVisible()
  })
})

test('on a phone in the dark a message fills the screen, and the list has its views, without a complaint of axe', async ({
  page,
  installation,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, installation)
  const [id] = await fill(installation, [
    { name: 'N'.repeat(80), excerpt: 'x'.repeat(160) },
    ...named('Ana', 3),
  ])
  await change(installation, id, { due_at: new Date(0).toISOString() })
  await page.goto('/messages')
  await expect(page.locator('tbody tr').nth(1)).toHaveCSS('height', /^8[4-7]/)
  await expectNoComplaints(page)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Open 4' }).click()
  await expect(page).toHaveURL(/status=open&order=activity$/)
  await link(page, 'Ana 0').click()
  const open = message(page, 'Ana 0')
  await expect(open).toHaveCSS('width', '360px')
  await expect(open).toHaveCSS('height', '740px')
  await expectNoComplaints(page)
  await open.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(link(page, 'Ana 0')).toBeFocused()
})
