import { expect, type Locator, type Page } from '@playwright/test'
import { messages } from '../../src/features/inbox/contract.ts'
import { expectTexts } from '../e2e/expect-texts.ts'
import { chooseRowAction } from '../e2e/row-actions.ts'
import { Refusal } from './fake-api.ts'
import { answerInbox, emails, messageFrom, named } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const message = (page: Page, name: string) => page.getByRole('dialog', { name: `Message from ${name}` })
const question = (page: Page) => page.getByRole('alertdialog')
const listCalls = (calls: readonly string[]) => calls.filter(call => call === 'GET /api/messages').length

test.beforeEach(async ({ page, api }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  answerPortal(api)
})

test('the focus stays with its message, and a press that was aimed at another row does nothing', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, named('Ana', 30))
  await page.goto('/messages')
  const last = link(page, 'Ana 19')
  await last.focus()
  const remove = 'Delete message from New'
  await page.clock.install()
  await page.evaluate(label => {
    const click = () => new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 })
    const press = () => document.querySelector(`[aria-label="${label}"]`)?.dispatchEvent(click())
    new MutationObserver(press).observe(document.body, { childList: true, subtree: true })
  }, remove)
  inbox.messages.unshift(messageFrom('New', -1))
  await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click')
  await expect(page.locator('tr[aria-rowindex="22"]')).toContainText('Ana 19')
  await expect(last).toBeFocused()
  await expect(question(page)).toHaveCount(0)
  await page.clock.runFor(400)
  await page.getByRole('button', { name: remove }).click()
  await expect(question(page)).toContainText('from New?')
})

test('a press in the moment in which the list becomes narrow opens no other message', async ({
  page,
  api,
}) => {
  answerInbox(api, named('Ana', 3))
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
    const after = location.search
    // The time in which somebody presses what they saw before.
    await new Promise(resolve => setTimeout(resolve, 450))
    click('Ana 1')
    return [before, after, location.search]
  })
  expect(opened[0]).toContain('message=')
  expect(opened[1]).toBe(opened[0])
  expect(opened[2]).not.toBe(opened[0])
  await expect(message(page, 'Ana 1')).toBeVisible()
})

test('an admin deletes from the menu of a row, which lies above the rows below', async ({ page, api }) => {
  answerInbox(api, named('Ana', 5))
  await page.goto('/messages')
  await chooseRowAction(page, 'message from Ana 1', 'Delete message from Ana 1')
  await expect(question(page)).toContainText('Ana 1')
})

test('someone who scrolls far gets more messages, the page holds only the rows in sight, and what they do there reads none of them again', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, named('Far', 640))
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
  await page.goto('/messages')
  const found = page.getByRole('status').filter({ hasText: 'enquiries' })
  await expect(found).toHaveText('100 enquiries shown, older ones follow')
  const rows = page.locator('tr[aria-rowindex]')
  const last = page.getByText('Far 639', { exact: true })
  await expect(async () => {
    await page.keyboard.press('End')
    expect(await rows.count()).toBeLessThan(250)
    await expect(last).toBeInViewport({ timeout: 100 })
  }).toPass({ intervals: [50] })
  await expect(found).toHaveText('640 enquiries')
  await expect(page.locator('tr[aria-rowindex="641"]')).toContainText('Far 639')
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '641')

  const before = listCalls(api.calls)
  await page.getByRole('button', { name: 'Delete message from Far 638', exact: true }).click()
  await question(page).getByRole('button', { name: 'Delete' }).click()
  await expect(found).toHaveText('639 enquiries')
  await expect(last).toBeInViewport()
  expect(listCalls(api.calls)).toBe(before)
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(found).toHaveText('100 enquiries shown, older ones follow')
  await expect(page.getByRole('button', { name: 'Refresh' })).toHaveAttribute('aria-disabled', 'false')
  expect(listCalls(api.calls)).toBe(before + 1)

  await page.goto(`/messages?message=${inbox.messages[500]?.id}`)
  await expect(message(page, 'Far 500')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(message(page, 'Far 501')).toBeVisible()
  await page.reload()
  await expect(message(page, 'Far 501')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/messages$/)
})

test('an admin sees an error when a message cannot be forwarded, deleted, marked or listed', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, ['Ana', 'Kiri'])
  await page.goto('/messages')
  api.on(messages.forward, () => new Refusal(503))
  await link(page, 'Kiri').focus()
  await page.keyboard.press('f')
  await expectTexts(toast(page), '/messages', 'Error Forwarding Message', 'Failed to forward message')

  inbox.messages.splice(1, 1)
  await link(page, 'Kiri').focus()
  await page.keyboard.press('Delete')
  await expectTexts(
    question(page),
    '/messages',
    'Are you sure you want to delete this message from {name}? This action cannot be undone.',
  )
  await expect(question(page)).toContainText('from Kiri?')
  const confirm = question(page).getByRole('button', { name: 'Delete' })
  await confirm.click()
  await expectTexts(toast(page), '/messages', 'Error Deleting Message')
  await expect(page.getByText('This enquiry no longer exists')).toBeVisible()
  await expect(question(page)).toBeHidden()
  await expect(row(page, 'Kiri')).toBeHidden()

  await page.route('**/api/messages/*', route =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  )
  await link(page, 'Ana').press('Delete')
  await confirm.click()
  await expectTexts(toast(page), '/messages', 'Failed to connect to the server. Please try again.')
  await expect(question(page)).toBeHidden()
  await page.unroute('**/api/messages/*')

  api.on(messages.delete, () => new Refusal(500))
  api.on(messages.markRead, () => new Refusal(500))
  // By key, since a click on a row does nothing just after a row has come back.
  await link(page, 'Ana').press('Delete')
  await confirm.click()
  await expectTexts(toast(page), '/messages', 'Failed to delete message')
  // The notice comes a moment before the question goes, which would take the key.
  await expect(question(page)).toBeHidden()
  await link(page, 'Ana').press('Enter')
  await expectTexts(toast(page), '/messages', 'Error', 'Failed to mark message as read')
  await message(page, 'Ana').locator('.inbox-pane-close').click()
  await expect(row(page, 'Ana')).toContainText('Unread')

  api.on(messages.list, () => new Refusal(500))
  await page.reload()
  await expectTexts(page, '/messages', 'Failed to fetch messages')
})

test('a message that cannot be loaded is not reported as deleted', async ({ page, api }) => {
  answerInbox(api, [])
  const path = '/messages?message=01900000-0000-7000-8000-000000000000'
  await page.goto(path)
  await expect(page.getByRole('dialog')).toContainText('It may have been deleted.')
  api.on(messages.read, () => new Refusal(502, 'Bad Gateway'))
  await page.goto(path)
  await expect(page.getByRole('dialog')).toContainText('could not be opened. 502: Bad Gateway')
  answerInbox(api, [])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog')).toContainText('It may have been deleted.')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('Back leaves a search for the list that was there before it', async ({ page, api }) => {
  answerInbox(api, ['Ana', 'Bo'])
  await page.goto('/messages')
  await page.getByLabel('Type').selectOption('Tracking Form')
  await expect(page).toHaveURL(/\?status=open&order=activity&formType=tracking$/)
  const box = page.getByRole('searchbox')
  for (const text of ['zeb', 'zebra', 'zebras']) {
    await box.fill(text)
    await expect(page).toHaveURL(new RegExp(`q=${text}$`))
  }
  await expect(page.getByText('No messages found')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/messages\?status=open&order=activity&formType=tracking$/)
  await expect(box).toHaveValue('')
  await expect(link(page, 'Ana')).toBeVisible()
  // Escape ends a search as Back does, and leaves nothing of it to go back to.
  await box.fill('zebra')
  await expect(page).toHaveURL(/q=zebra$/)
  await box.press('Escape')
  await expect(page).toHaveURL(/\/messages\?status=open&order=activity&formType=tracking$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/messages$/)
})

test('a search that follows another at once takes its place, so that Back leads to the list', async ({
  page,
  api,
}) => {
  answerInbox(api, ['Ana', 'Bo'])
  await page.goto('/messages')
  await expect(link(page, 'Ana')).toBeVisible()
  await page.getByRole('searchbox').evaluate(async (box: HTMLInputElement) => {
    // Without a task in between, in which the first search would be drawn.
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
    for (const text of ['an', 'ana']) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, text)
      box.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await settle()
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
      await settle()
    }
  })
  await expect(page).toHaveURL(/q=ana$/)
  await expect(link(page, 'Bo')).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(/\/messages$/)
  await expect(link(page, 'Bo')).toBeVisible()
})

test('what is typed while a search comes into the URL is kept, and searched next', async ({ page, api }) => {
  answerInbox(api, ['Ana'])
  await page.goto('/messages')
  await expect(link(page, 'Ana')).toBeVisible()
  const box = page.getByRole('searchbox')
  await page.evaluate(() => {
    for (const name of ['pushState', 'replaceState'] as const) {
      const write = history[name].bind(history)
      history[name] = (...entry) => {
        write(...entry)
        if (!location.search.includes('q=alpha')) return
        const typed = document.querySelector<HTMLInputElement>('input[type="search"]')
        if (typed?.value !== 'alpha') return
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(typed, 'alphabet')
        typed.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }
  })
  await box.fill('alpha')
  await expect(page).toHaveURL(/q=alphabet/)
  await expect(box).toHaveValue('alphabet')
})

/** More than are drawn in the first two goes. */
const EMAILS = 120
const email = (page: Page, at: number) => page.getByText(`This is email ${at}.`, { exact: true })
const steps = (page: Page) => page.locator('.inbox-thread > article')

test('a long conversation opens at its end, and stays there while what is older comes', async ({
  page,
  api,
}) => {
  answerInbox(api, ['Ana']).entries = emails(EMAILS)
  await page.goto('/messages')
  await link(page, 'Ana').click()
  await expect(email(page, EMAILS)).toBeInViewport({ ratio: 1 })
  await expect(steps(page)).toHaveCount(EMAILS + 1)
  await expect(email(page, EMAILS)).toBeInViewport({ ratio: 1 })
  await expect(email(page, 1)).not.toBeInViewport()
})

test('somebody who scrolls up while what is older comes stays where they are', async ({ page, api }) => {
  answerInbox(api, ['Ana']).entries = emails(EMAILS)
  await page.goto('/messages')
  // In the frame in which the newest are there, before the others come.
  await page.evaluate(() => {
    const wait = () => {
      const shown = document.querySelectorAll('.inbox-thread > article')
      if (shown.length < 5) return requestAnimationFrame(wait)
      shown.item(shown.length - 10).scrollIntoView({ block: 'start' })
    }
    requestAnimationFrame(wait)
  })
  await link(page, 'Ana').click()
  await expect(steps(page)).toHaveCount(EMAILS + 1)
  await expect(email(page, EMAILS)).not.toBeInViewport()
  await expect(email(page, EMAILS - 9)).toBeInViewport()
})

test('on a phone the views are above rows of two lines, and a message fills the window until it is closed', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, named('Ana', 3))
  const excerpt = 'Which visa lets me bring my mother to Sydney, and how long will it take? '.repeat(3)
  inbox.messages[0] = { ...messageFrom('Ana 0', 0), excerpt, dueAt: '2026-11-23T00:00:00.000Z' }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/messages')
  const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { y: 0, height: 0 }
  const { y, height } = await boxOf(row(page, 'Ana 0'))
  expect(height).toBeGreaterThanOrEqual(66)
  expect(height).toBeLessThan(70)
  const view = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Mine' })
  await expect(view).toBeInViewport({ ratio: 1 })
  expect((await boxOf(view)).y).toBeLessThan(y)
  await link(page, 'Ana 1').click()
  expect(await boxOf(message(page, 'Ana 1'))).toMatchObject({ y: 0, height: 844 })
  await message(page, 'Ana 1').getByRole('button', { name: 'Close', exact: true }).click()
  await expect(link(page, 'Ana 1')).toBeFocused()
})
