import { expect } from '@playwright/test'
import { newId } from '../../src/database/id.ts'
import { pictures } from '../../src/features/pictures/contract.ts'
import { ADA, answerPortal } from './portal.ts'
import { test } from './story.ts'

const use = { documentId: newId(new Date()), title: 'Home', path: '/', isLive: true, isNeeded: true }
const picture = (id: string, uses: (typeof use)[]) => ({
  ...{ id, width: 800, height: 600, url: '', bytes: 90_000, uses },
  ...{ createdAt: '2026-11-23T02:00:00.000Z', uploadedBy: 'Ana' },
})

for (const [role, deletable, what] of [
  ['viewer', 0, 'no picture'],
  ['editor', 1, 'the picture that no page needs'],
] as const)
  test(`in the library, the ${role} can delete ${what}`, async ({ page, api }) => {
    answerPortal(api, { ...ADA, role })
    api.on(pictures.list, () => ({
      pictures: [picture('a'.repeat(22), [use]), picture('b'.repeat(22), [])],
      ...{ nextCursor: null, usedBytes: 180_000, quota: 1_000_000 },
    }))
    await page.goto('/content?view=pictures')
    await expect(page.locator('.pictures-card')).toHaveCount(2)
    await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(deletable)
    await expect(page.getByRole('button', { name: 'Upload a picture' })).toHaveCount(deletable)
  })
