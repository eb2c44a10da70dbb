import { expect, type Page } from '@playwright/test'
import { screens } from '../../src/screens.ts'
import { openMessage } from './conversation.ts'
import { toast } from './expect-texts.ts'
import { fill } from './inbox.ts'
import { signIn, testApart } from './installation.ts'

const test = testApart()
let ids: readonly string[] = []

test.beforeEach(async ({ page, installation }) => {
  ids = await fill(
    installation,
    ['Ana', 'Kiri', 'Bao', 'Sofia', 'Wei'].map(name => ({ name })),
  )
  await signIn(page, installation)
  await page.goto('/messages')
})

/** Shows a toast with the next document. */
const showWithNext = (page: Page) =>
  page.evaluate(() =>
    sessionStorage.setItem(
      'landfall-toast',
      JSON.stringify({ title: 'User Updated', description: 'The changes to Nadia Ito have been saved.' }),
    ),
  )

/** The controls that stay below the toast wherever somebody scrolls, by their words. */
const findCovered = (page: Page) =>
  page.evaluate(() => {
    const host = document.querySelector('#toast:popover-open')
    const isPressable = (element: Element) =>
      !host?.contains(element) && element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    return controls.filter(isPressable).flatMap(control => {
      control.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      const { left, right, top, bottom } = control.getBoundingClientRect()
      const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return host && above && host.contains(above) ? [control.outerHTML.slice(0, 120)] : []
    })
  })

/** Of a desk, a tablet and two phones. */
const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 568 },
]

test('a notice covers nothing that can be pressed, on any screen of any size (found I3)', async ({
  page,
}) => {
  const open = async (path: string) => {
    await showWithNext(page)
    await page.goto(path)
    await toast(page).hover()
  }
  for (const path of [
    ...screens.map(screen => screen.path).filter(path => !path.includes(':')),
    '/contact',
  ]) {
    await open(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Loading …')).toHaveCount(0)
    for (const size of sizes) {
      await page.setViewportSize(size)
      // Below the mouse it stays.
      await toast(page).hover()
      expect(await findCovered(page), `${path} at ${size.width}`).toEqual([])
    }
  }
  for (const size of sizes) {
    await page.setViewportSize(size)
    await open('/users')
    await page.getByRole('button', { name: 'Add User' }).click()
    expect(await findCovered(page), `a dialog at ${size.width}`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await openMessage(page, ids[0] ?? '', 'Ana')
  await page.keyboard.press('e')
  await expect(toast(page)).toContainText('Enquiry closed')
  const next = page.getByRole('dialog', { name: 'Message from Kiri' })
  await expect(next.getByRole('button', { name: 'Close enquiry' }).first()).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByRole('button', { name: /^Send reply/ })).toBeVisible()
  for (const size of sizes) {
    await page.setViewportSize(size)
    expect(await findCovered(page), `a conversation at ${size.width}`).toEqual([])
    const { height: line = 0 } = (await toast(page).boundingBox()) ?? {}
    expect(line).toBeLessThanOrEqual(size.width < 700 ? 64 : 48)
  }
})
