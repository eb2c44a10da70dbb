import { expect, type Page } from '@playwright/test'
import type Axe from 'axe-core'
import { loadAxe } from '../e2e/axe.ts'
import { test } from '../e2e/installation.ts'
import { noTextsPassed } from './colours.ts'
import { listen } from './gallery.ts'
import { lookAt } from './look-at.ts'
import { openState, signInAs } from './open-state.ts'
import { unfold } from './state.ts'

/** What the gallery says of a page after a change that breaks it. */
async function breakPage(
  page: Page,
  path: string,
  change: () => void,
  texts = noTextsPassed(),
): Promise<string> {
  await openState(page, { path })
  await page.evaluate(change)
  return (await lookAt(page, { path }, texts)).join('\n')
}

test('the gallery notices pale text by day or by night, also after others of its kind, and a field without a label', async ({
  page,
}) => {
  const texts = noTextsPassed()
  expect(await breakPage(page, '/fees', () => {}, texts)).toBe('')
  const paint = () => {
    const heading = document.querySelector('h1')
    if (heading) heading.style.color = '#ccc'
  }
  const pale = await breakPage(page, '/fees', paint, texts)
  expect(pale).toMatch(/^color-contrast: <h1/)
  const dark = await breakPage(page, '/auth', () => {
    const heading = document.querySelector('h1')
    if (heading) heading.style.color = '#333'
  })
  expect(dark).toMatch(/^by night, color-contrast: <h1/)
  const nameless = await breakPage(page, '/fees', () => {
    document.querySelector('main')?.append(document.createElement('input'))
  })
  expect(nameless).toMatch(/^label: <input/)
})

test('axe knows the contrast of what the portal writes: only the arrow of a list is over a gradient', async ({
  page,
  installation,
}) => {
  await page.goto('/auth')
  await signInAs('admin', page, installation)
  for (const path of ['/messages', '/settings']) {
    await openState(page, { path })
    await loadAxe(page)
    const overGradient = await page.evaluate(async () => {
      const { axe } = window as object as { axe: typeof Axe }
      const { incomplete, passes } = await axe.run({ runOnly: ['color-contrast'], elementRef: true })
      if (passes.length === 0) return ['nothing']
      const unknown = incomplete.flatMap(({ nodes }) => nodes)
      const isOver = ({ any }: Axe.NodeResult) => any.some(({ data }) => data?.messageKey === 'bgGradient')
      return unknown.filter(node => isOver(node) && !node.element?.matches('select')).map(({ html }) => html)
    })
    expect(overGradient).toEqual([])
  }
})

test('the gallery notices a part that is wider than a phone, and large text that is cut off or covered', async ({
  page,
}) => {
  const wide = await breakPage(page, '/fees', () => {
    const part = document.querySelector('main')?.appendChild(document.createElement('div'))
    if (part) Object.assign(part.style, { width: '350px', height: '10px' })
  })
  expect(wide).toMatch(/^html is \d+ px wide in a window of 320 px/m)
  const cutOff = await breakPage(page, '/fees', () => {
    const heading = document.querySelector('h1')
    if (heading) Object.assign(heading.style, { height: '40px', overflow: 'hidden' })
  })
  expect(cutOff).toMatch(/in large text, cut off: <h1/)
  const covered = await breakPage(page, '/fees', () => {
    const heading = document.querySelector('h1')
    if (heading) heading.style.marginBottom = '-48px'
  })
  expect(covered).toMatch(/in large text, overlap: /)
})

test('the gallery goes by links where nothing is left of a state, and notices what is wrong with the next', async ({
  page,
  installation,
}) => {
  await page.goto('/auth')
  await signInAs('admin', page, installation)
  const [first, other] = [{ path: '/settings' }, { path: '/settings?tab=email' }]
  await openState(page, first)
  expect(await lookAt(page, first)).toEqual([])
  const shown = await page.locator('h1').evaluateHandle(heading => heading)
  await openState(page, other, { last: first })
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Email Settings')
  // The same document, but another screen, with text of its own size, by day.
  expect(await shown.evaluate(it => it.isConnected)).toBe(false)
  await page.locator('h1').evaluate(it => {
    it.style.color = '#333'
    Object.assign(it.appendChild(document.createElement('div')).style, { minWidth: '350px', height: '10px' })
  })
  const faults = (await lookAt(page, other)).join('\n')
  expect(faults).not.toMatch(/^color-contrast/m)
  expect(faults).toMatch(/^by night, color-contrast: <h1/m)
  expect(faults).toMatch(/^html is \d+ px wide in a window of 320 px/m)
  // What was opened would be left: the document is loaded again, after which nothing of the old one can be asked.
  await openState(page, first, { last: { ...other, open: unfold } })
  await expect(shown.evaluate(() => {})).rejects.toThrow()
})

test('the gallery notices what a page must not load, which its policy refuses', async ({ page }) => {
  const complaints = await listen(page)
  await openState(page, { path: '/' })
  expect(complaints).toEqual([])
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "taken over"'
    document.head.append(script)
  })
  await expect(() => expect(complaints.join()).toContain('refused by script-src-elem: inline')).toPass()
  expect(await page.title()).not.toBe('taken over')
})
