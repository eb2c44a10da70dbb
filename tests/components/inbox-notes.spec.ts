import { expect, type Page } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import { conversation } from '../../src/features/inbox/conversation/contract.ts'
import { createGate, type FakeApi } from './fake-api.ts'
import { answerInbox } from './inbox.ts'
import { ADA, answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Note to the team' })
const list = (page: Page) => page.getByRole('listbox', { name: 'Colleagues' })
const option = (page: Page, name: string) => list(page).getByRole('option', { name, exact: true })

/** @returns what was added */
async function beginNote(page: Page, api: FakeApi): Promise<string[]> {
  answerPortal(api)
  const inbox = answerInbox(api, ['Mai'])
  const added: string[] = []
  const staff = ['Ada Admin', 'Ana Costa', 'Ana Lima', 'Ben Okafor', 'José Ng'].map((name, at) => ({
    ...{ id: newId(new Date(at)), name, mayAnswer: true },
  }))
  api.on(messages.options, () => ({ staff, tags: [], timeZone: 'Australia/Sydney' }))
  api.on(conversation.saveDraft, () => ({}))
  api.on(conversation.addNote, ({ id, body }) => {
    added.push(body)
    const note = { id, author: { id: ADA.id, name: ADA.name }, body, createdAt: new Date().toISOString() }
    return { note, version: 2 }
  })
  await page.goto(`/messages?message=${inbox.messages[0]?.id}`)
  await expect(page.getByRole('button', { name: /^Note/ }).last()).toBeVisible()
  await page.keyboard.press('n')
  await expect(text(page)).toBeFocused()
  return added
}

for (const width of [390, 1440])
  test(`an @ in a note offers the colleagues, who are chosen with the keyboard, ${width} pixels wide`, async ({
    page,
    api,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const added = await beginNote(page, api)
    await page.keyboard.type('Ask @')
    await expect(list(page).getByRole('option')).toHaveCount(5)
    await expect(list(page)).toBeInViewport({ ratio: 1 })
    await page.keyboard.type('an')
    await expect(list(page).getByRole('option')).toHaveText(['Ana Costa', 'Ana Lima'])
    await expect(option(page, 'Ana Costa')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(option(page, 'Ana Lima')).toHaveAttribute('aria-selected', 'true')
    await expect(text(page)).toHaveAttribute(
      'aria-activedescendant',
      (await option(page, 'Ana Lima').getAttribute('id')) ?? '',
    )
    await expect(text(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(text(page)).toHaveValue('Ask @Ana Lima ')
    await expect(list(page)).toBeHidden()

    // Without accents, and by a later name.
    await page.keyboard.type('and @jose')
    await page.keyboard.press('Tab')
    await expect(text(page)).toHaveValue('Ask @Ana Lima and @José Ng ')
    await page.keyboard.type('or @oka')
    await option(page, 'Ben Okafor').click()
    await expect(text(page)).toHaveValue('Ask @Ana Lima and @José Ng or @Ben Okafor ')
    await expect(text(page)).toBeFocused()

    // Escape leads out of the list first, and Enter begins a line then.
    await page.keyboard.type('@a')
    await expect(list(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(list(page)).toBeHidden()
    await expect(text(page)).toBeFocused()
    await page.keyboard.type('n')
    await expect(list(page)).toBeHidden()
    await page.keyboard.press('Enter')
    await expect(text(page)).toHaveValue(/@an\n$/)
    // An address names nobody, and a name in the middle of a text is completed there.
    await text(page).fill('To mai@a and @be, please')
    await page.keyboard.press('Home')
    for (let at = 0; at < 'To mai@a'.length; at++) await page.keyboard.press('ArrowRight')
    await expect(list(page)).toBeHidden()
    for (let at = 0; at < ' and @be'.length; at++) await page.keyboard.press('ArrowRight')
    await expect(option(page, 'Ben Okafor')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(text(page)).toHaveValue('To mai@a and @Ben Okafor, please')
    await page.keyboard.press('Control+Enter')
    await expect(text(page)).toBeHidden()
    expect(added).toEqual(['To mai@a and @Ben Okafor, please'])
    await expect(toast(page)).toBeHidden()
  })

test('a note that names nobody says so while it is written and once it is added, and is added all the same', async ({
  page,
  api,
}) => {
  const added = await beginNote(page, api)
  const said = page.getByRole('status').filter({ hasText: 'Nobody here is called' })
  await page.keyboard.type('Ask @Nobody')
  await expect(said).toHaveText('Nobody here is called @Nobody, so nobody gets a notice of it.')
  await text(page).fill('Ask @Ana and @Ben')
  await expect(page.getByText('Several colleagues are called @Ana: write the whole name.')).toBeVisible()
  await expect(said).toBeHidden()
  await text(page).fill('Ask @Nobody')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page)).toContainText('Note added')
  await expect(toast(page)).toContainText('Nobody here is called @Nobody')
  expect(added).toEqual(['Ask @Nobody'])
})

test('an @ that was typed before the form of a note was loaded offers the colleagues once it is', async ({
  page,
  api,
}) => {
  const gate = createGate()
  await page.route(/\/assets\/composer-forms/, async route => {
    await gate.opened
    await route.continue()
  })
  await beginNote(page, api)
  await page.keyboard.type('Ask @an')
  await expect(text(page)).toHaveValue('Ask @an')
  await expect(list(page)).toBeHidden()
  gate.open()
  await expect(list(page).getByRole('option')).toHaveText(['Ana Costa', 'Ana Lima'])
})
