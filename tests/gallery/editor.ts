import type { Page } from '@playwright/test'
import type { Installation } from '../e2e/installation.ts'
import { withDatabase } from '../e2e/staff.ts'
import { drawPng } from '../support/pictures.ts'
import { answer, type Change, inOrder, press, type Screen, type State, unfold, until } from './state.ts'

const summary = (page: Page) => page.getByRole('textbox', { name: 'Summary' })

/** In a narrow window one part is shown at a time. */
const showPart = (name: string) => (page: Page) => page.getByRole('tab', { name }).click()

const untilSaved = async (page: Page) => {
  await page
    .locator('.content-editor-status')
    .getByText(/Draft saved/)
    .waitFor()
}

async function claim(page: Page) {
  await summary(page).fill('We are the best firm in town. We guarantee your visa.')
  await untilSaved(page)
}

/** The same person changes the same field in two windows. */
async function conflict(page: Page) {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await summary(other).fill(`What you pay us and others, and when. ${Date.now()}`)
  await untilSaved(other)
  await other.close()
  await summary(page).fill('What our work costs, and when you pay.')
  await page.getByRole('button', { name: 'Keep mine' }).first().waitFor()
}

const openText = async (page: Page) => {
  const block = page.locator('.content-editor-item:has([contenteditable], .content-editor-unloaded)').first()
  await block.locator('summary').first().click()
  await block.locator('[contenteditable="true"]').first().click()
}

const chooseTool = (name: string) =>
  inOrder(openText, page => page.locator(`[data-tool="${name}"]`).first().click())

async function addPicture(page: Page) {
  await page.locator('.content-editor-add > summary').first().click()
  await page.getByRole('button', { name: 'Picture', exact: true }).click()
  const field = page.locator('[data-field^="blocks."][data-field$=".picture"]').last()
  const buffer = drawPng(720, 450, 0)
  await field.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  await field.getByRole('textbox', { name: 'Alt text' }).waitFor({ timeout: 60_000 })
}

/** Office hours, holidays and the time until an answer. */
async function unfoldHours(page: Page) {
  const section = page.locator('.content-editor-section', {
    has: page.getByRole('heading', { name: 'Hours' }),
  })
  for (const summary of await section.locator('summary:not(.button)').all()) await summary.click()
  await page.getByRole('button', { name: 'Hours', exact: true }).click()
}

async function emptySummary(page: Page) {
  await summary(page).fill('')
  await inOrder(untilSaved, press('Publish'), until('.field-error'))(page)
}

async function readAddresses(installation: Installation): Promise<(path: string) => string> {
  const documents = await withDatabase(installation, db =>
    db.selectFrom('content_documents').select(['id', 'path']).execute(),
  )
  return path => `/content/${documents.find(document => document.path === path)?.id}`
}

type Opened = readonly [name: string, ...changes: Change[]]

/** Without large text: a closed list cannot break the long name of a fact. */
const LONG_CHOICES = ['site-unfolded', 'choose-fact']

const statesOf = (path: string, all: readonly Opened[]): State[] =>
  all.map(([name, ...changes]) => ({
    path,
    name,
    open: inOrder(untilOpen, ...changes),
    ...(LONG_CHOICES.includes(name) && { largeWidth: null }),
  }))

const untilHeaded = until('.content-editor-head h1')
/** Also the preview, which moves the page when it comes. */
const untilOpen = inOrder(untilHeaded, until('.content-editor-frame:not([inert])'))

/** The browser notes on its console that the server refused. */
const refused = (states: readonly State[]): State[] => states.map(state => ({ ...state, fails: true }))

/** The editor of each kind of document, with what opens on it. */
export const editorScreens: readonly Screen[] = [
  {
    title: 'The editor of the site',
    as: 'admin',
    async states(installation) {
      const addressOf = await readAddresses(installation)
      return statesOf(addressOf('/'), [['site'], ['site-unfolded', unfold], ['hours', unfoldHours]])
    },
  },
  {
    title: 'The editor of a page, its tools, pictures and dialogs',
    as: 'admin',
    async states(installation) {
      const addressOf = await readAddresses(installation)
      const pictures = statesOf(addressOf('/how-it-works'), [
        // Both are of one draft, which is saved before the page is left.
        ['picture', addPicture, untilSaved],
        ['choose-picture', addPicture, untilSaved, press('Choose from the library')],
      ])
      const others = statesOf(addressOf('/fees'), [
        ['page'],
        ['page-unfolded', unfold],
        ['add-block', page => page.locator('.content-editor-add > summary').first().click()],
        ['add-link', chooseTool('link')],
        ['choose-page', chooseTool('link'), press('Choose a page')],
        ['choose-fact', chooseTool('fact')],
        ['publish', press('Publish')],
        ['schedule', press('Schedule')],
        ['take-offline', press('Take offline')],
        ['delete-page', press(/^Delete$/)],
      ])
      return [...others, ...pictures]
    },
  },
  {
    title: 'The mistakes, the claims, the preview and the history of a document',
    as: 'admin',
    async states(installation) {
      const addressOf = await readAddresses(installation)
      const fees = addressOf('/fees')
      return [
        ...statesOf(fees, [
          ['field-errors', emptySummary],
          ['restore', press(/^Restore/)],
        ]),
        {
          path: fees,
          name: 'preview',
          open: inOrder(untilHeaded, showPart('Preview')),
          isNarrow: true,
        },
        {
          path: fees,
          name: 'history',
          open: inOrder(untilHeaded, showPart('History')),
          isNarrow: true,
        },
        ...refused(statesOf(addressOf('/how-it-works'), [['conflict', conflict]])),
        ...statesOf(addressOf('/visas/skills-in-demand-482'), [
          ['claims-in-draft', claim],
          ['version', press(/^Version 1/)],
        ]),
        ...refused(
          statesOf(addressOf('/visas/skills-in-demand-482'), [
            [
              'publish-claims',
              claim,
              press('Publish'),
              answer('Publish now'),
              until('dialog[open] blockquote'),
            ],
          ]),
        ),
      ]
    },
  },
  {
    title: 'The content of somebody who may only look',
    as: 'viewer',
    async states(installation) {
      const addressOf = await readAddresses(installation)
      return [{ path: addressOf('/'), name: 'viewed', open: untilOpen }]
    },
  },
]
