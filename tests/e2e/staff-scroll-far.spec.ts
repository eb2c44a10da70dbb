import { expect } from '@playwright/test'
import { openDatabase } from '../../src/database/open.ts'
import { newMessages } from '../support/messages.ts'
import { signIn, testApart } from './installation.ts'

const test = testApart()

test('someone who scrolls far gets more messages, and what they do there reads none of them again', async ({
  page,
  installation,
}) => {
  const db = await openDatabase(installation.data)
  const rows = newMessages(
    new Date(),
    Array.from({ length: 350 }, (_, at) => ({ name: `Ana ${at}` })),
  )
  for (let start = 0; start < rows.length; start += 50)
    await db
      .insertInto('messages')
      .values(rows.slice(start, start + 50))
      .execute()
  await db.destroy()

  // A busy browser reports together that the end was far away a moment ago and is near now.
  await page.addInitScript(() => {
    const Observer = window.IntersectionObserver
    window.IntersectionObserver = class extends Observer {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super((entries, observer) => {
          const before = entries.map(entry => Object.create(entry, { isIntersecting: { value: false } }))
          callback([...before, ...entries], observer)
        }, options)
      }
    }
  })
  await signIn(page, installation)
  await page.goto('/messages')
  const found = page.getByRole('status').filter({ hasText: 'messages' })
  await expect(found).toHaveText('100 messages shown, older ones follow')
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(found).toHaveText('350 messages', { timeout: 500 })
  }).toPass()
  const last = page.getByText('Ana 349', { exact: true })
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(last).toBeInViewport({ timeout: 500 })
  }).toPass()

  let lists = 0
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/api/messages') lists++
  })
  await page.getByRole('button', { name: 'Delete message from Ana 348', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(found).toHaveText('349 messages')
  await expect(last).toBeInViewport()
  expect(lists).toBe(0)

  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(found).toHaveText('100 messages shown, older ones follow')
  await expect(page.getByRole('button', { name: 'Refresh' })).toHaveAttribute('aria-disabled', 'false')
  expect(lists).toBe(1)
})
