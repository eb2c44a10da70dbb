import { expect } from '@playwright/test'
import { messages } from '../../src/features/inbox/contract.ts'
import { Refusal } from './fake-api.ts'
import { answerInbox, emails, messageFrom } from './inbox.ts'
import { answerPortal } from './portal.ts'
import { test } from './story.ts'

for (const width of [390, 1440])
  test(`everything that a person has written is read in one place ${width} pixels wide, by keyboard`, async ({
    page,
    api,
  }) => {
    answerPortal(api)
    const all = answerInbox(api, ['Ana', 'Ana', 'Ana', 'Ana', 'Ana', 'Ana', 'Ana', 'Bo']).messages
    const [ana = messageFrom('Ana', 0), ...others] = all
    const related = others.map(other => ({ ...other, isSameAddress: other.name === 'Ana' }))
    const replies = emails(1).map(each => ({
      ...each,
      id: 'r',
      kind: 'reply' as const,
      body: 'What staff answered',
    }))
    let isBroken = true
    api.on(messages.read, ({ id }) => {
      const message = all.find(each => each.id === id) ?? ana
      if (message === all[1] && isBroken) return new Refusal(500)
      return {
        ...{ message, deliveryError: null, notes: [], earlier: null, firstReply: null, drafts: [] },
        ...{ newer: null, older: null, lastSeq: 0, samePerson: related.filter(other => other.id !== id) },
        entries: [...emails(1, ` ${message.reference}`), ...replies],
      }
    })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/messages?message=${ana.id}`)
    if (width < 1000) await page.locator('.inbox-pane-details > summary').press('Enter')
    const button = page.getByRole('button', { name: 'Read everything they wrote' })
    await button.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Everything from Ana' })
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(5)
    await expect(dialog.getByRole('alert')).toContainText('This enquiry could not be read.')
    await expect(dialog.getByText('What staff answered')).toHaveCount(0)
    await expect(dialog.getByText('This is email 1. LF-2')).toBeVisible()
    isBroken = false
    await dialog.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(dialog.getByText('This is email 1. LF-1')).toBeVisible()
    await dialog.getByRole('button', { name: 'Show 2 more' }).press('Enter')
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(7)
    await expect(dialog.getByText('I am Bo.')).toHaveCount(0)
    const ids = await page.locator('[id^="enquiry-"]').evaluateAll(found => found.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)

    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
    await button.press('Enter')
    await dialog.getByRole('link', { name: 'LF-3' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`message=${all[3]?.id}`))
  })
