import { expect, type Page } from '@playwright/test'
import { createGate, type FakeApi } from './fake-api.ts'
import { things } from './stories/contract.ts'
import { test, toast } from './story.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const written = (api: FakeApi) => api.calls.filter(call => call === 'POST /api/things').length

test('a double click, and Enter pressed twice, on a button that writes makes one call', async ({
  page,
  api,
}) => {
  api.on(things.create, () => ({}))
  await page.goto('/writes')
  await page.clock.install()
  await button(page, 'Save').dblclick()
  await expect(toast(page)).toContainText('Saved')
  expect(written(api)).toBe(1)
  await page.clock.runFor(300)
  await page.getByLabel('Name').focus()
  await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')])
  await expect.poll(() => written(api)).toBe(2)
  await button(page, 'Row 1').dblclick()
  await expect.poll(() => written(api)).toBe(3)
})

test('what was edited right after a press is sent by the next one', async ({ page, api }) => {
  api.on(things.create, () => ({}))
  await page.goto('/writes')
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('Saved')
  await page.getByLabel('Name').fill('Two')
  await button(page, 'Save').click()
  await expect.poll(() => api.sent).toEqual([{ name: 'One' }, { name: 'Two' }])
})

test('the button of one row does not wait for that of another, and each waits for itself', async ({
  page,
  api,
}) => {
  const gate = createGate()
  api.on(things.create, () => gate.opened.then(() => ({})))
  await page.goto('/writes')
  await page.clock.install()
  for (const name of ['Row 1', 'Row 2', 'Row 1', 'Row 2']) {
    await button(page, name).click()
    await page.clock.runFor(400)
  }
  // In whichever order the two calls arrive.
  const names = () => api.sent.map(sent => Object(sent).name).sort()
  await expect.poll(names).toEqual(['Row 1', 'Row 2'])
  gate.open()
})
