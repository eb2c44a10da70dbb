import type { Page } from '@playwright/test'
import { drawPng } from '../support/pictures.ts'
import { exportOf, richPost } from '../support/wordpress.ts'
import { answer, inOrder, press, type Screen, type, until } from './state.ts'

/** Chooses a file: the first picture of the library, for the states after it. */
async function upload(page: Page) {
  const buffer = drawPng(720, 450, 0)
  await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  await page.locator('.pictures-card').first().waitFor({ timeout: 60_000 })
}

/** Reads an export: what it would become, with what is left out. */
async function readExport(page: Page) {
  const buffer = Buffer.from(
    exportOf([richPost(1), { id: 2, type: 'nav_menu_item' }, { id: 3, status: 'trash' }]),
  )
  const file = { name: 'export.xml', mimeType: 'text/xml', buffer }
  await page.getByLabel('Export file (XML)').setInputFiles(file)
  await page.getByRole('button', { name: 'Read the files' }).click()
  await page.getByRole('button', { name: 'Import as drafts' }).waitFor()
}

async function addAddress(page: Page) {
  await page.getByRole('button', { name: 'Add an old address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Old address').fill('/2021/03/fees')
  await dialog.getByLabel('Leads to').fill('/contact')
  await page.getByRole('dialog').locator('[type=submit]').click()
  await page.getByRole('button', { name: 'Remove /2021/03/fees' }).waitFor()
}

const submitDialog = (page: Page) => page.getByRole('dialog').locator('[type=submit]').click()

/** The list of the content, its facts, claims, samples and pictures. */
export const contentScreens: readonly Screen[] = [
  {
    title: 'The list of the content and its dialogs',
    as: 'admin',
    states: async () => [
      { path: '/content' },
      { path: '/content?q=nothing-has-this-title', name: 'content-none' },
      { path: '/content', name: 'add-page', open: press('Add page') },
      {
        path: '/content',
        name: 'add-page-errors',
        open: inOrder(press('Add page'), answer('Add page'), until('.field-error')),
      },
    ],
  },
  {
    title: 'The facts, the claims, the samples and the pictures',
    as: 'admin',
    states: async () => [
      { path: '/content?view=claims', name: 'claims' },
      { path: '/content?view=samples', name: 'samples' },
      { path: '/content?view=facts', name: 'facts' },
      { path: '/content?view=facts', name: 'add-fact', open: press('Add a fact') },
      {
        path: '/content?view=facts',
        name: 'add-fact-errors',
        open: inOrder(press('Add a fact'), submitDialog, until('.field-error')),
      },
      { path: '/content?view=facts', name: 'check-fact', open: press(/^Check /) },
      { path: '/content?view=import', name: 'import', open: readExport },
      { path: '/content?view=addresses', name: 'old-addresses', open: addAddress },
      { path: '/content?view=pictures', name: 'library', open: upload },
      { path: '/content?view=pictures', name: 'delete-picture', open: press(/^Delete: /) },
      {
        path: '/content?view=brand',
        name: 'brand',
        open: inOrder(type('Accent', '#fff200'), until('.content-editor-adjusted')),
      },
    ],
  },
]
