import { expect } from '@playwright/test'
import { samples } from '../../src/features/content-editor/samples/contract.ts'
import { answerPortal } from './portal.ts'
import { test, toast } from './story.ts'

/** Longer than two presses count as a double click. */
const LATER = 400

const document = { id: '01900000-0000-7000-8000-000000000001', title: 'Landfall Migration' }
const sample = (path: string, label: string, text: string) => ({
  ...{ document, path, field: path, label, text, isHidden: false },
  ...{ group: 'words' as const, mayConfirm: false },
})
const all = [
  sample('company.abn', 'Company, ABN', '00 000 000 000'),
  sample('agent.name', 'Agent, Name', 'Alex Sample'),
]

const others = { edited: 5, confirmed: 1 }

test('an editor removes one sample, then all, and each comes back with Undo (found E3)', async ({
  page,
  api,
}) => {
  answerPortal(api)
  let left = all
  api.on(samples.list, () => ({ samples: left, ...others }))
  api.on(samples.remove, ({ samples: chosen }) => {
    const before = left.length
    left = left.filter(({ path }) => chosen?.every(each => each.path !== path) === true)
    const removals = [{ id: document.id, number: 2 }]
    return { removed: before - left.length, removals, requested: [], refused: [] }
  })
  api.on(samples.undo, () => {
    left = all
    return { requested: [], refused: [] }
  })
  await page.goto('/content?view=samples')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Samples still there 2 of 8')
  await expect(page.getByRole('link', { name: 'Edit Landfall Migration: Company, ABN' })).toHaveAttribute(
    'href',
    `/content/${document.id}?field=company.abn&from=samples`,
  )
  await page.getByRole('button', { name: 'Remove Landfall Migration: Agent, Name' }).click()
  await expect(page.getByText('Sample removed')).toBeVisible()
  await expect(page.getByText('Alex Sample')).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Samples are back')).toBeVisible()
  await expect(page.getByText('Alex Sample')).toBeVisible()
  await page.getByRole('button', { name: 'Remove all 2 samples' }).click()
  await expect(page.getByText('2 samples removed')).toBeVisible()
  await expect(page.getByText(/No invented name, number or claim is left/)).toBeVisible()
  await page.waitForTimeout(LATER)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('00 000 000 000')).toBeVisible()
})

test('an editor reads what keeps samples on the site: a schedule, or a second person (found E3)', async ({
  page,
  api,
}) => {
  answerPortal(api)
  api.on(samples.list, () => ({ samples: all, ...others }))
  const refused = [{ title: 'Landfall Migration', message: 'A change of it is scheduled.' }]
  api.on(samples.remove, () => ({ removed: 0, removals: [], requested: [], refused }))
  await page.goto('/content?view=samples')
  await page.getByRole('button', { name: 'Remove all 2 samples' }).click()
  await expect(page.getByText('Landfall Migration: A change of it is scheduled.')).toBeVisible()
  await page.waitForTimeout(LATER)
  api.on(samples.remove, () => ({ removed: 2, removals: [], requested: ['Landfall Migration'], refused: [] }))
  await page.getByRole('button', { name: 'Remove all 2 samples' }).click()
  await expect(page.getByText('Approval requested')).toBeVisible()
})

test('an admin says that a claim is true of the agency, with the reason, and what is most urgent comes first', async ({
  page,
  api,
}) => {
  answerPortal(api)
  const story = {
    ...sample('agent.founderProfile.0', 'Story', 'Alex Sample founded it'),
    group: 'agent' as const,
  }
  const claim = {
    ...sample('claims.#a', 'Claim 1', '1,200 visas'),
    group: 'claims' as const,
    mayConfirm: true,
  }
  let left = [...all, claim, story]
  api.on(samples.list, () => ({ samples: left, ...others }))
  let reason = ''
  api.on(samples.confirm, input => {
    reason = input.reason
    left = left.filter(({ path }) => path !== input.path)
    return { isRequested: false }
  })
  await page.goto('/content?view=samples')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Names another agent than yours',
    'Claims and amounts',
    'Details and words',
  ])
  await expect(page.getByRole('button', { name: /^It is ours/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'It is ours: Landfall Migration: Claim 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it true of your agency?' })
  await dialog.getByRole('button', { name: 'It is ours' }).click()
  await expect(dialog.getByText('Give a reason').first()).toBeVisible()
  await dialog.getByLabel('How you can prove it').fill('Our register')
  await dialog.getByRole('button', { name: 'It is ours' }).click()
  await expect(page.getByText('It is yours')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1,200 visas')).toBeHidden()
  expect(reason).toBe('Our register')
})

test('keys go through the samples, select, edit and confirm, and what is selected goes at once', async ({
  page,
  api,
}) => {
  answerPortal(api)
  let left = all.map((each, at) => ({ ...each, mayConfirm: at === 1 }))
  api.on(samples.list, () => ({ samples: left, edited: 5 + all.length - left.length, confirmed: 1 }))
  api.on(samples.remove, ({ samples: chosen }) => {
    left = left.filter(({ path }) => chosen?.every(each => each.path !== path) === true)
    return { removed: 1, removals: [], requested: [], refused: [] }
  })
  await page.goto('/content?view=samples')
  for (const words of ['5 edited or removed', '1 confirmed as yours', '2 still samples'])
    await expect(page.getByText(words)).toBeVisible()
  const first = page.getByRole('checkbox', { name: 'Select Landfall Migration: Company, ABN' })
  await page.keyboard.press('y')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(first).toBeChecked()
  await page.keyboard.press('y')
  await expect(toast(page)).toContainText('Edit this one to make it yours, or remove it.')
  await page.keyboard.press('j')
  await page.keyboard.press('y')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove 1 selected' }).click()
  await expect(first).toHaveCount(0)
  await expect(page.getByText('6 edited or removed')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/field=agent\.name/)
})
