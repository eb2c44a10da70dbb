import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { replyText } from './conversation.ts'
import { fill } from './inbox.ts'
import { openDashboard, test } from './installation.ts'
import { addStaff } from './staff.ts'
import { timeOf } from './time-of.ts'

test('two colleagues see a new enquiry within a second, who else is looking, and what the other does', async ({
  page,
  browser,
  installation,
}) => {
  await fill(installation, [{ name: 'Kiri' }, { name: 'Noor' }])
  const mei = await addStaff(installation, 'Mei Tanaka', { inbox: 'answer', role: 'editor' })
  const tom = await addStaff(installation, 'Tom Okafor', { inbox: 'answer', role: 'editor' })
  const context = await browser.newContext({ baseURL: installation.url })
  const other = await context.newPage()
  await openDashboard(page, installation, mei)
  await openDashboard(other, installation, tom)
  for (const each of [page, other]) {
    const stream = each.waitForResponse('**/api/events')
    await each.goto('/messages')
    await stream
    await expect(each.getByRole('row')).toHaveCount(3)
  }
  // A second tab of the same browser hears it from the first.
  const tab = await context.newPage()
  const opening = await timeOf(async () => {
    await tab.goto('/messages')
    await expect(tab.getByRole('row')).toHaveCount(3)
  })

  const isPressed = pressWhenItComes(page, 'Nadia Ito')
  const data = {
    name: 'Nadia Ito',
    email: 'nadia@visitor.test',
    phone: '+61 2 5550 0100',
    message: 'Can my sister join?',
  }
  expect((await page.request.post('/api/contact', { data })).status()).toBe(201)
  const arrival = await timeOf(async () => {
    for (const each of [page, other, tab])
      await expect(each.getByRole('link', { name: 'Nadia Ito' })).toBeVisible()
  })
  expect(arrival).toBeLessThan(1000 + 3 * opening)
  // It has pushed down the row that the press was meant for.
  expect(await isPressed).toBe(false)

  await other.getByRole('link', { name: 'Nadia Ito' }).press('Enter')
  await expect(other.getByRole('dialog', { name: 'Nadia Ito' })).toBeVisible()
  // Tom has read it.
  await expect(page.getByRole('row', { name: 'Nadia Ito' })).not.toContainText('Unread')
  await page.getByRole('link', { name: 'Nadia Ito' }).press('Enter')
  await expect(page.getByText('Tom is looking')).toBeVisible()
  await expect(page.getByText('Mei is looking')).toHaveCount(0)
  // He begins a reply (found I10).
  await other.keyboard.press('r')
  await replyText(other.getByRole('dialog', { name: 'Nadia Ito' })).pressSequentially('Dear Nadia')
  await expect(page.getByText('Tom is writing')).toBeVisible()
  await expectAccessible(page)
  await context.close()
})

/** Presses the first row at the moment at which this one takes its place. @returns whether the press has reached it */
async function pressWhenItComes(page: Page, name: string): Promise<boolean> {
  return await page.evaluate(
    wanted =>
      new Promise<boolean>(resolve => {
        const observer = new MutationObserver(() => {
          const link = document.querySelector('tbody tr[data-row] a')
          if (link?.textContent !== wanted) return
          observer.disconnect()
          let isReached = false
          link.addEventListener('click', () => {
            isReached = true
          })
          link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))
          resolve(isReached)
        })
        observer.observe(document.body, { childList: true, subtree: true })
      }),
    name,
  )
}
