import { expect } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { minutes } from '../../src/platform/clock.ts'
import { fill, named } from './inbox.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { withDatabase } from './staff.ts'

const test = testApart()
const EMAILS = 120

test('a conversation of two megabytes shows what came before to somebody who scrolls up, and keeps their place (found A2)', async ({
  page,
  installation,
}) => {
  const [id = ''] = await fill(installation, named('Bo', 1))
  await signIn(page, installation)
  await addEmails(installation, id, `\n${'The committee sat. '.repeat(900)}`)
  await page.goto('/messages')
  await page.getByRole('link', { name: 'Bo 0', exact: true }).click()
  const steps = page.locator('.inbox-thread > article')
  await expect(page.getByRole('button', { name: 'Show earlier' })).toBeAttached()
  const count = await steps.count()
  expect(count).toBeLessThan(EMAILS / 2)
  const [words = ''] = /This is email \d+\./.exec((await steps.nth(1).textContent()) ?? '') ?? []
  const shown = steps.filter({ hasText: words })
  const topOf = (step: Element) => step.getBoundingClientRect().top
  const before = await shown.evaluate(step => {
    step.scrollIntoView({ block: 'start' })
    return step.getBoundingClientRect().top
  })
  await expect.poll(async () => await steps.count()).toBeGreaterThan(count)
  // A step that comes near the window gets its height between two frames, and the browser moves the rest back in the next.
  await expect.poll(async () => Math.abs((await shown.evaluate(topOf)) - before)).toBeLessThan(3)
  await expect(async () => {
    await steps.nth(1).evaluate(step => step.scrollIntoView({ block: 'start' }))
    await expect(steps).toHaveCount(EMAILS + 1, { timeout: 1000 })
  }).toPass()
  await expect(page.getByRole('button', { name: 'Show earlier' })).toHaveCount(0)
})

async function addEmails(installation: Installation, message_id: string, more = '') {
  const entries = Array.from({ length: EMAILS }, (_, at) => ({
    ...{ id: newId(new Date()), message_id, seq: at + 1, kind: 'inbound' as const, author_id: null },
    body: `This is email ${at + 1}.${more}`,
    created_at: new Date(Date.now() + minutes(at - EMAILS)).toISOString(),
  }))
  await withDatabase(installation, async db => {
    for (let at = 0; at < entries.length; at += 20)
      await db
        .insertInto('entries')
        .values(entries.slice(at, at + 20))
        .execute()
  })
}
