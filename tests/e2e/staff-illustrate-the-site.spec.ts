import { expect, type Locator, type Page } from '@playwright/test'
import { drawPng } from '../support/pictures.ts'
import { openSite } from './documents.ts'
import { expectShown } from './expect-shown.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const status = (page: Page) => page.locator('.content-editor-status [role=status]')
const saved = (page: Page) => expect(status(page)).toContainText(/Draft saved \d?\d:\d\d [ap]m/)
const preview = (page: Page) => page.frameLocator('.content-editor-frame:not([inert])')
const field = (page: Page, slide = 0) => page.locator(`[data-field="slides.${slide}.picture"]`)
const alt = (page: Page) => page.getByRole('textbox', { name: 'Alt text' })
const card = (page: Page) => page.locator('.pictures-card')

/** A file to choose. Without grain, because the encoding of photographs has tests of its own and takes long. */
const drawFile = (width: number, height: number) => ({
  name: 'picture.png',
  mimeType: 'image/png',
  buffer: drawPng(width, height, 0),
})
const HARBOUR = drawFile(720, 450)
const BEACH = drawFile(320, 240)
const UPLOAD = '**/api/content/pictures'

test.use({ viewport: { width: 1440, height: 900 } })

async function signInAs(page: Page, installation: Installation, role: 'editor' | 'viewer') {
  await signIn(page, installation, await addStaff(installation, `Ana ${role}`, { role }))
}

async function openSlide(page: Page, at: number) {
  await openSite(page)
  await page.locator(`[data-field="slides.${at}"] summary`).click()
}

/** Milliseconds; the server encodes every size of a picture, and gives other work precedence. */
const ENCODED = 60_000

/** Chooses a file as with the button, and waits until the picture is there. */
async function upload(where: Locator, file: Parameters<Locator['setInputFiles']>[0]) {
  const isStored = where
    .page()
    .waitForResponse(response => response.request().method() === 'POST' && response.ok(), {
      timeout: ENCODED,
    })
  await where.locator('input[type=file]').setInputFiles(file)
  await isStored
}

/** After longer than a double click, as for everybody who reads why it failed. */
async function refuseOnce(page: Page) {
  const json = { message: 'Too many at once' }
  await page.route(
    UPLOAD,
    async route => {
      await page.waitForTimeout(400)
      await route.fulfill({ status: 503, json })
    },
    { times: 1 },
  )
}

test('an editor puts a picture into a slide, says what it shows and what must stay in sight, visitors see it, and one that is replaced or removed comes back with Undo', async ({
  page,
  installation,
}) => {
  test.slow(true, 'three pictures are encoded')
  await signInAs(page, installation, 'editor')
  await openSlide(page, 0)
  await refuseOnce(page)
  await field(page).locator('input[type=file]').setInputFiles(HARBOUR)
  await expect(field(page).getByRole('alert')).toContainText('Not uploaded. 503: Too many at once')
  await field(page).getByRole('button', { name: 'Try again' }).click()

  await alt(page).waitFor({ timeout: ENCODED })
  await alt(page).fill('The harbour of Sydney at dawn')
  await page.getByRole('radio', { name: 'middle centre', exact: true }).focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radio', { name: 'upper centre left' })).toBeFocused()
  await expect(field(page)).toContainText('Focal point: upper centre left')
  const shown = preview(page).getByRole('img', { name: 'The harbour of Sydney at dawn' })
  await expect(shown).toHaveClass(/site-focus-7$/)
  await preview(page)
    .locator('.site-slide')
    .first()
    .click({ position: { x: 10, y: 10 } })
  await expect(page.getByRole('radio', { name: 'upper centre left' })).toBeFocused()
  await saved(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect(status(page)).toContainText('Live since')

  await page.goto('/content?view=pictures')
  await expect(card(page).filter({ hasText: '720 × 450' })).toContainText('Landfall Migration live')
  await page.goto('/')
  await expectShown(page, '.site-slide-picture', /^\/pictures\/[0-9a-f]{32}-720\.avif$/)
  await expect(page.getByRole('img', { name: 'The harbour of Sydney at dawn' })).toHaveCount(1)

  await test.step('what is replaced or removed comes back', async () => {
    await openSlide(page, 1)
    const [picture, before] = [field(page, 1), 'A harbour']
    await upload(picture, HARBOUR)
    await alt(page).fill(before)
    await upload(picture, BEACH)
    await expect(alt(page)).toHaveValue('')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page
      .getByRole('button', { name: 'Slides 2, Picture, Alt text: Say what the picture shows' })
      .click()
    await expect(alt(page)).toBeFocused()
    await picture.getByRole('button', { name: 'Undo' }).click()
    await expect(alt(page)).toHaveValue(before)
    await picture.getByRole('button', { name: 'Remove' }).click()
    await expect(alt(page)).toHaveCount(0)
    await picture.getByRole('button', { name: 'Undo' }).click()
    await expect(alt(page)).toHaveValue(before)
    await picture.locator('input[type=file]').setInputFiles('README.md')
    await expect(picture.getByRole('alert')).toContainText('This browser cannot read the file as a picture')
    await expect(alt(page)).toHaveValue(before)
    await saved(page)
  })
})

test('the library says where a picture is used, and deletes one that nothing uses any more', async ({
  page,
  context,
  installation,
}) => {
  await signInAs(page, installation, 'editor')
  await page.goto('/content?view=pictures')
  await upload(page.locator('main'), 'public/icon-512.png')
  const unused = card(page).filter({ hasText: '512 × 512' })
  await expect(unused).toContainText('Not used')
  await expect(page.getByText(/[\d.]+ (k|M)B of [\d.]+ MB used/)).toBeVisible()

  const editor = await context.newPage()
  await editor.goto('/content')
  await editor.getByRole('button', { name: 'Add page' }).click()
  await editor.getByLabel('Title').fill('Illustrated')
  await editor.getByRole('dialog').getByRole('button', { name: 'Add page' }).click()
  await editor.getByText('Add a block').click()
  await editor.getByRole('button', { name: 'Picture', exact: true }).click()
  await editor.getByRole('button', { name: 'Choose from the library' }).first().click()
  await editor.getByRole('button', { name: /^Picture of 512 × 512 pixels/ }).waitFor()
  await editor.getByRole('button', { name: /^Picture of 512 × 512 pixels/ }).click()
  await saved(editor)

  await unused.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog', { name: 'The picture is in use' })).toContainText('Illustrated')
  await page.getByRole('button', { name: 'Close' }).first().click()
  await expect(unused.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await editor.getByRole('button', { name: 'Remove', exact: true }).click()
  await saved(editor)
  await page.reload()
  await unused.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(unused).toHaveCount(0)
})
