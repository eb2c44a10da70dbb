import { expect, type Page } from '@playwright/test'
import { minutes } from '../../src/clock.ts'
import { newId } from '../../src/database/id.ts'
import { fill, named } from './inbox.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { withDatabase } from './staff.ts'

const test = testApart()
/** More than are drawn in the first two goes. */
const EMAILS = 120

test.beforeEach(async ({ page, installation }) => {
  await signIn(page, installation)
  const [id = ''] = await fill(installation, named('Ana', 1))
  await addEmails(installation, id)
  await page.goto('/messages')
})

test('a long conversation opens at its end, and stays there while what is older comes', async ({ page }) => {
  await page.getByRole('link', { name: 'Ana 0', exact: true }).click()
  await expect(email(page, EMAILS)).toBeInViewport({ ratio: 1 })
  await expect(page.locator('.inbox-thread > article')).toHaveCount(EMAILS + 1)
  await expect(email(page, EMAILS)).toBeInViewport({ ratio: 1 })
  await expect(email(page, 1)).not.toBeInViewport()
})

test('somebody who scrolls up while what is older comes stays where they are', async ({ page }) => {
  await page.evaluate(scrollUpWhenOpened)
  await page.getByRole('link', { name: 'Ana 0', exact: true }).click()
  await expect(page.locator('.inbox-thread > article')).toHaveCount(EMAILS + 1)
  await expect(email(page, EMAILS)).not.toBeInViewport()
  await expect(email(page, EMAILS - 9)).toBeInViewport()
})

const email = (page: Page, at: number) => page.getByText(`This is email ${at}.`, { exact: true })

async function addEmails(installation: Installation, message_id: string) {
  const entries = Array.from({ length: EMAILS }, (_, at) => ({
    ...{ id: newId(new Date()), message_id, seq: at + 1, kind: 'inbound' as const, author_id: null },
    body: `This is email ${at + 1}.`,
    created_at: new Date(Date.now() + minutes(at - EMAILS)).toISOString(),
  }))
  await withDatabase(installation, db => db.insertInto('entries').values(entries).execute())
}

/** In the page: in the frame in which the newest are there, before the others come. */
function scrollUpWhenOpened() {
  const wait = () => {
    const shown = document.querySelectorAll('.inbox-thread > article')
    if (shown.length < 5) return requestAnimationFrame(wait)
    shown.item(shown.length - 10).scrollIntoView({ block: 'start' })
  }
  requestAnimationFrame(wait)
}
