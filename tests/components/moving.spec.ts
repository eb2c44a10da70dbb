import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { facts } from '../../src/features/content-editor/facts/contract.ts'
import { moving } from '../../src/features/content-editor/moving/contract.ts'
import { redirects } from '../../src/features/content-editor/redirects/contract.ts'
import { exportOf, richPost } from '../support/wordpress.ts'
import { type FakeApi, Refusal } from './fake-api.ts'
import { answerPortal } from './portal.ts'
import { test } from './story.ts'

const id = '01900000-0000-7000-8000-000000000001'

/** A server with room for all. @returns the origins that it has got, in their order */
function answerImport(api: FakeApi, room = 2000) {
  answerPortal(api)
  const got: string[] = []
  api.on(moving.plan, ({ documents }) => ({
    places: documents.map(({ origin, path }) => ({
      path,
      state: got.includes(origin) ? ('here' as const) : ('new' as const),
    })),
    room,
  }))
  api.on(facts.list, () => ({ facts: [] }))
  api.on(moving.import, ({ documents }) => ({
    outcomes: documents.map(({ origin, path }) => {
      const outcome = got.includes(origin) ? ('kept' as const) : ('added' as const)
      if (outcome === 'added') got.push(origin)
      return { origin, path, outcome, documentId: id, message: '', refusedAddresses: [] }
    }),
  }))
  return got
}

async function choose(page: Page, count: number) {
  const buffer = Buffer.from(exportOf(Array.from({ length: count }, (_, at) => richPost(at + 1))))
  await page.goto('/content?view=import')
  await page.getByLabel('Export file (XML)').setInputFiles({ name: 'a.xml', mimeType: 'text/xml', buffer })
  await page.getByRole('button', { name: 'Read the files' }).click()
}

test('an editor imports two hundred posts with progress, and reads what was not kept (W19)', async ({
  page,
  api,
}) => {
  const got = answerImport(api)
  await choose(page, 200)
  await expect(page.getByText('0 pages and 200 articles to import')).toBeVisible()
  await expect(page.getByText(/401 pictures shown. Missing from the archive: 401/)).toBeVisible()
  const start = Date.now()
  await page.getByRole('button', { name: 'Import as drafts' }).click()
  await expect(page.getByText('200 imported as drafts')).toBeVisible({ timeout: 60_000 })
  expect(Date.now() - start).toBeLessThan(60_000)
  expect(got).toHaveLength(200)
  await page.getByRole('button', { name: 'Left out', exact: true }).click()
  await expect(page.getByText('Frame: https://www.youtube.com/embed/1:').first()).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the report (CSV)' }).click(),
  ])
  const report = readFileSync(await download.path(), 'utf8')
  for (const word of ['Link to javascript:evil()', 'missing-200.png', 'Shortcode [contact-form-7'])
    expect(report).toContain(word)
})

test('who leaves the screen after an import finds its report again, until it is closed', async ({
  page,
  api,
}) => {
  answerImport(api)
  await choose(page, 2)
  await page.getByRole('button', { name: 'Import as drafts' }).click()
  await expect(page.getByText('2 imported as drafts')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The last import' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'The last import' })).toBeVisible()
  await expect(page.getByText('2 imported as drafts')).toBeVisible()
  await page.getByRole('button', { name: 'Left out', exact: true }).click()
  await expect(page.getByText('Frame: https://www.youtube.com/embed/1:').first()).toBeVisible()
  await page.getByRole('button', { name: 'Close it' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'From WordPress' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The last import' })).toHaveCount(0)
})

test('an import goes on after a network failure, and after a reload with the same file, without doubles (W20)', async ({
  page,
  api,
}) => {
  const got = answerImport(api, 5)
  let failures = 2
  await page.route('**/api/content/import', async route =>
    failures-- > 0 ? await route.abort() : await route.fallback(),
  )
  await choose(page, 8)
  await expect(page.getByText('0 pages and 5 articles to import')).toBeVisible()
  await page.getByRole('button', { name: 'Import as drafts' }).click()
  await expect(page.getByText(/It waits until/)).toBeVisible()
  await expect(page.getByText('5 imported as drafts')).toBeVisible({ timeout: 20_000 })
  expect(got).toHaveLength(5)
  await choose(page, 5)
  await expect(page.getByText(/5 were imported before and stay as they are/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import as drafts' })).toBeHidden()
})

test('a file that is no export, and a session that ends, lose nothing', async ({ page, api }) => {
  answerImport(api)
  await page.goto('/content?view=import')
  const file = (text: string) => ({ name: 'a.xml', mimeType: 'text/xml', buffer: Buffer.from(text) })
  await page.getByLabel('Export file (XML)').setInputFiles(file('<!DOCTYPE a [<!ENTITY b "c">]><rss/>'))
  await page.getByRole('button', { name: 'Read the files' }).click()
  await expect(page.getByRole('alert')).toContainText('declares entities')
  api.refuse(moving.import, new Refusal(403, { message: 'You may not do this' }))
  await choose(page, 1)
  await page.getByRole('button', { name: 'Import as drafts' }).click()
  await expect(page.getByText('The import ended early')).toBeVisible()
  await expect(page.getByText(/choose the same files again to go on/)).toBeVisible()
})

test('an editor checks a file of old addresses by line before anything is added', async ({ page, api }) => {
  answerPortal(api)
  const added: string[] = []
  api.on(redirects.list, () => ({ redirects: [], nextCursor: null }))
  api.on(redirects.add, ({ redirects: sent, isTrial }) => {
    if (!isTrial) added.push(...sent.map(({ from }) => from))
    return {
      outcomes: sent.map(({ from, to }) =>
        to === '/nowhere'
          ? {
              from,
              outcome: 'refused' as const,
              message: 'There is no page at /nowhere',
              field: 'to' as const,
            }
          : { from, outcome: 'added' as const, message: '', field: null },
      ),
    }
  })
  await page.goto('/content?view=addresses')
  await expect(page.getByText('No old addresses')).toBeVisible()
  await page.getByRole('button', { name: 'Import from CSV' }).click()
  const csv =
    'from,to\r\n/a.html,/fees\r\n"/b, c",/contact\r\n/d,/nowhere\r\nno address,/fees\r\n/a.html,/x\r\n'
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2 can be added, 3 cannot.')
  for (const words of [
    'Line 4 /d: There is no page at /nowhere',
    'Line 5 no address: This is not',
    'Line 6 /a.html: Line 2 has',
  ])
    await expect(dialog).toContainText(words)
  expect(added).toEqual([])
  await dialog.getByRole('button', { name: 'Add 2 addresses' }).click()
  await expect(page.getByText('2 addresses added')).toBeVisible()
  expect(added).toEqual(['/a.html', '/b, c'])
})

test('an editor who leads an old address to a page that is not there reads so beside that field', async ({
  page,
  api,
}) => {
  answerPortal(api)
  api.on(redirects.list, () => ({ redirects: [], nextCursor: null }))
  api.on(redirects.add, ({ redirects: sent }) => ({
    outcomes: sent.map(({ from, to }) => ({
      ...{ from, outcome: 'refused' as const, message: `There is no page at ${to}`, field: 'to' as const },
    })),
  }))
  await page.goto('/content?view=addresses')
  await page.getByRole('button', { name: 'Add an old address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Old address').fill('/a.html')
  await dialog.getByLabel('Leads to').fill('nowhere')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByLabel('Leads to')).toHaveAccessibleDescription(/There is no page at \/nowhere/)
  await expect(dialog.getByLabel('Old address')).not.toHaveAccessibleDescription(/There is no page/)
})
