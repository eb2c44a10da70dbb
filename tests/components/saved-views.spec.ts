import { expect, type Page } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import { type SavedView, savedViews } from '../../src/features/inbox/views/contract.ts'
import { type FakeApi, Refusal } from './fake-api.ts'
import { answerInbox, NO_COUNTS, named } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

test.beforeEach(({ api }) => answerPortal(api))

/** Keeps views as the server does. */
function answerViews(api: FakeApi, ...names: readonly string[]): SavedView[] {
  const views = names.map((name, at) => ({
    id: newId(new Date(at)),
    name,
    filter: { q: name } as SavedView['filter'],
  }))
  api.on(savedViews.list, () => ({ views }))
  api.on(savedViews.add, ({ name, filter }) => {
    if (views.some(view => view.name === name))
      return new Refusal(400, {
        message: 'Taken',
        errors: { name: 'You have a view with this name already' },
      })
    const view = { id: newId(new Date()), name, filter: { ...filter } as SavedView['filter'] }
    views.push(view)
    views.sort((one, other) => one.name.localeCompare(other.name))
    return { view }
  })
  api.on(savedViews.rename, ({ viewId, name }) => {
    const view = views.find(({ id }) => id === viewId)
    if (!view) return new Refusal(404, { message: 'This view no longer exists' })
    view.name = name
    return { view }
  })
  api.on(savedViews.delete, ({ viewId }) => {
    views.splice(
      views.findIndex(({ id }) => id === viewId),
      1,
    )
    return {}
  })
  return views
}

const rail = (page: Page) => page.getByRole('navigation', { name: 'Screens' })
const pills = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** The names in the dialog. */
const listed = (page: Page) => dialog(page, 'Saved views').locator('li > span')

test('what the list shows is saved with the keyboard, and is an address below the fixed views', async ({
  page,
  api,
}) => {
  answerInbox(api, named('Ana', 2))
  const views = answerViews(api, 'Partner')
  await page.goto('/messages')
  const save = page.getByRole('button', { name: 'Save as a view' })
  await expect(rail(page).getByRole('link', { name: 'Partner' })).toBeVisible()
  // The fixed views are there already.
  await expect(save).toHaveCount(0)
  await page.getByLabel('Type').selectOption('Tracking Form')
  await expect(save.first()).toBeVisible()
  await rail(page).getByRole('button', { name: 'Save as a view' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Save as a view').getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Write a name')).toBeVisible()
  await page.keyboard.type('Partner')
  await page.keyboard.press('Enter')
  await expect(page.getByText('You have a view with this name already')).toBeVisible()
  await expect(toast(page)).toBeHidden()
  await page.keyboard.type(', tracking')
  await page.keyboard.press('Enter')
  const saved = rail(page).getByRole('link', { name: 'Partner, tracking' })
  await expect(saved).toHaveAttribute('aria-current', 'true')
  await expect(saved).toBeFocused()
  await expect(rail(page).locator('[aria-current=true]')).toHaveCount(1)
  await expect(save).toHaveCount(0)
  expect(views[1]?.filter).toEqual({ status: 'open', order: 'activity', formType: 'tracking' })

  await rail(page).getByRole('link', { name: 'Partner', exact: true }).press('Enter')
  await expect(page).toHaveURL(/\/messages\?q=Partner$/)
  await expect(page.getByRole('searchbox')).toHaveValue('Partner')
  await page.reload()
  await expect(rail(page).getByRole('link', { name: 'Partner', exact: true })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await page.goBack()
  await expect(saved).toHaveAttribute('aria-current', 'true')
  await expect(page.getByLabel('Type')).toHaveValue('tracking')
  // The same filters in another order are the same view.
  await page.goto('/messages?formType=tracking&order=activity&status=open')
  await expect(saved).toHaveAttribute('aria-current', 'true')
})

test('a saved view is renamed and deleted with the keyboard, and a deletion is undone', async ({
  page,
  api,
}) => {
  answerInbox(api, ['Ana'])
  const views = answerViews(api, 'First', 'Second')
  await page.goto('/messages?q=Second')
  const edit = rail(page).getByRole('button', { name: 'Edit saved views' })
  await edit.press('Enter')
  await dialog(page, 'Saved views').getByRole('button', { name: 'Rename First' }).press('Enter')
  const name = dialog(page, 'Rename a view').getByLabel('Name')
  await expect(name).toHaveValue('First')
  await name.fill('Of June')
  await page.keyboard.press('Enter')
  await expect(listed(page)).toHaveText(['Of June', 'Second'])
  await expect(page.locator('dialog:modal')).toHaveCount(1)

  await dialog(page, 'Saved views').getByRole('button', { name: 'Delete Of June' }).press('Enter')
  await expect(dialog(page, 'Saved views').getByRole('button', { name: 'Rename Second' })).toBeFocused()
  await expect(toast(page)).toContainText('View Deleted')
  expect(views.map(view => view.name)).toEqual(['Second'])
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(listed(page)).toHaveText(['Of June', 'Second'])
  expect(views.map(view => [view.name, view.filter])).toContainEqual(['Of June', { q: 'First' }])

  for (const left of [['Second'], []]) {
    await dialog(page, 'Saved views').getByRole('button', { name: 'Delete' }).first().press('Enter')
    await expect(listed(page)).toHaveText(left)
  }
  await expect(dialog(page, 'Saved views')).toContainText('You have saved none.')
  await expect(dialog(page, 'Saved views').getByRole('button', { name: 'Done' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(edit).toHaveCount(0)
  await expect(rail(page).getByRole('link', { name: 'All' })).toBeFocused()
  await page.keyboard.press('z')
  await expect(rail(page).getByRole('link', { name: 'Second' })).toHaveAttribute('aria-current', 'true')
})

test('on a phone, views are saved, opened, renamed and deleted beside the fixed ones', async ({
  page,
  api,
}) => {
  answerInbox(api, ['Ana'])
  const long = 'A name as long as it may be, which is more than a phone shows'.slice(0, 60)
  answerViews(api, long)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/messages?q=visa&status=closed')
  await page.getByRole('button', { name: 'Save as a view' }).click()
  await dialog(page, 'Save as a view').getByLabel('Name').fill('Zebra')
  await dialog(page, 'Save as a view').getByRole('button', { name: 'Save' }).click()
  const saved = pills(page).getByRole('link', { name: 'Zebra' })
  await expect(saved).toBeFocused()
  await expect(saved).toBeInViewport({ ratio: 1 })
  await pills(page).getByRole('link', { name: long }).click()
  await expect(page).toHaveURL(new RegExp(`q=${long.slice(0, 1)}`))
  await expect(pills(page).locator('[aria-current=true]')).toHaveText(long)
  await page.reload()
  await expect(pills(page).getByRole('link', { name: long })).toBeInViewport({ ratio: 1 })
  for (const pill of await pills(page).locator('.inbox-view').all()) {
    const box = await pill.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(box?.width).toBeLessThan(300)
  }
  await pills(page).getByRole('button', { name: 'Edit saved views' }).click()
  await dialog(page, 'Saved views').getByRole('button', { name: 'Delete Zebra' }).click()
  await expect(listed(page)).toHaveText([long])
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(listed(page)).toHaveText([long, 'Zebra'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('what cannot be saved, because there are too many, is said, and the list stays', async ({
  page,
  api,
}) => {
  answerInbox(api, ['Ana'])
  answerViews(api)
  api.refuse(savedViews.add, new Refusal(409, { message: 'You have 30 views already. Delete one first.' }))
  await page.goto('/messages?letter=failed')
  await page.locator('.filters').getByRole('button', { name: 'Save as a view' }).click()
  await dialog(page, 'Save as a view').getByLabel('Name').fill('One more')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('You have 30 views already. Delete one first.')
  await expect(dialog(page, 'Save as a view').getByLabel('Name')).toHaveValue('One more')
})

test('a saved view that is counted has its figure beside it, which is read again with the views', async ({
  page,
  api,
}) => {
  const inbox = answerInbox(api, named('Ana', 2))
  const views = answerViews(api, 'Family', 'Refusal')
  let asked = 0
  api.on(messages.counts, () => {
    asked++
    return { ...NO_COUNTS, open: 2, saved: { [views[0]?.id ?? '']: inbox.messages.length } }
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/messages')
  await expect(rail(page).getByRole('link', { name: 'Family 2' })).toBeVisible()
  await expect(rail(page).getByRole('link', { name: 'Refusal', exact: true })).toBeVisible()
  const before = asked
  await page.getByRole('searchbox').pressSequentially('visa 500')
  await expect(page).toHaveURL(/q=visa/)
  expect(asked, 'no key that is pressed counts').toBe(before)
  await rail(page).getByRole('button', { name: 'Save as a view' }).click()
  await dialog(page, 'Save as a view').getByLabel('Name').fill('Five hundred')
  await page.keyboard.press('Enter')
  await expect.poll(() => asked).toBeGreaterThan(before)
})
