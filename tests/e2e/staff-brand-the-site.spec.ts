import { expect, type Page } from '@playwright/test'
import { atLength } from '../support/at-length.ts'
import { COLOUR_RULES, runAxe } from './axe.ts'
import { openCaller } from './caller.ts'
import { signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
test.use({ viewport: { width: 1440, height: 900 } })

/** Too light on light, and of one lightness. */
const nasty = [
  { main: '#fff200', accent: '#fffde0' },
  { main: '#ff5ccd', accent: '#7a7a7a' },
]
const pages = [
  ['/', 'light'],
  ['/visas', 'light'],
  ['/auth', 'light', 'dark'],
  ['/content?view=brand', 'light', 'dark'],
] as const

/** A sign that has no size of its own. */
const KEEL =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M30 6v40H10z" fill="#d98e2b"/><path d="M34 4c8 12 16 26 20 42H34z" fill="#7a2e4a"/><path d="M6 50h52c-4 8-12 10-26 10S10 58 6 50z" fill="#7a2e4a"/></svg>'

async function publishBrand(page: Page, brand: object) {
  const call = await openCaller(page)
  const { documents } = await call('GET', '/api/content?kind=site')
  const { draft } = await call('GET', `/api/content/${documents[0].id}`)
  const body = { ...draft.body, brand }
  const { revision } = await call('PUT', `/api/content/${documents[0].id}/draft`, {
    body,
    revision: draft.revision,
  })
  await call('POST', `/api/content/${documents[0].id}/publish`, { revision, overrides: [] })
}

test('an editor gives the site its colours, reads with numbers where one is adjusted, and each page can be read', async ({
  page,
  installation,
}) => {
  await signIn(page, installation, await addStaff(installation, 'Ana Editor', { role: 'editor' }))
  await page.goto('/content?view=brand')
  const main = page.getByRole('textbox', { name: 'Main colour', exact: true })
  await main.fill('#7A2E4A')
  await expect(page.getByText('White on it 9.1')).toBeVisible()
  await page.getByRole('textbox', { name: 'Accent', exact: true }).fill('E8C170')
  await expect(page.getByRole('textbox', { name: 'Accent', exact: true })).toHaveValue('#E8C170')
  await expect(page.getByText('Border on white 1.7, needs 3.0')).toBeVisible()
  await expect(page.getByText('Your own stays: on the main colour')).toBeVisible()
  const footer = page.frameLocator('.content-editor-frame:not([inert])').locator('.site-footer')
  await expect(footer).toHaveCSS('background-color', 'rgb(122, 46, 74)')
  const file = { name: 'keel.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(KEEL) }
  await page.getByLabel('Upload a logo', { exact: true }).last().setInputFiles(file)
  // All its sizes are drawn first.
  await expect(page.getByRole('button', { name: 'Replace' })).toBeVisible({ timeout: 60_000 })
  const mark = page.frameLocator('.content-editor-frame:not([inert])').locator('.header .logo-mark')
  await expect(mark).toHaveCSS('background-image', /\/pictures\/[0-9a-f]{32}-64\.png/)
  await page.getByRole('radio', { name: /^Signal/ }).check()
  const title = page.frameLocator('.content-editor-frame:not([inert])').locator('.site-slide-title').first()
  await expect(title).toHaveCSS('font-family', /^Nunito/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Upload a logo' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(main).toHaveValue('')
  await main.fill('#7A2E4A')
  await page.getByRole('button', { name: 'Publish the brand' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto('/')
  await expect(page.locator('.site-footer')).toHaveCSS('background-color', 'rgb(122, 46, 74)')

  for (const brand of atLength(nasty.slice(0, 1), nasty)) {
    await publishBrand(page, brand)
    for (const [path, ...schemes] of pages)
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto(path)
        await page.locator('main h1').first().waitFor()
        const { violations } = await runAxe(page, '.content-editor-frame', { runOnly: COLOUR_RULES })
        expect(violations, `${path} by ${colorScheme} with ${JSON.stringify(brand)}`).toEqual([])
      }
  }
})
