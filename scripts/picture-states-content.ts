import type { Page } from '@playwright/test'
import { type Change, inOrder, press, type Shot, unfold } from './picture-states.ts'

/** What the contact sheet opens in the content and its editor: dialogs, conflicts and errors. */

/** The editor of the document with this title. */
export const openDocument =
  (title: string): Change =>
  async page => {
    await page.getByRole('link', { name: title, exact: true }).first().click()
    await page.locator('.content-editor-head h1').waitFor()
    await page.waitForLoadState('networkidle')
  }

const openFees = openDocument('What our work costs')
const openSite = openDocument('Landfall Migration')

/** Presses the button of the open dialog. */
const answer = (name: string) => async (page: Page) => {
  await page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click()
}

const summary = (page: Page) => page.getByRole('textbox', { name: 'Summary' })

/** On a phone one part is shown at a time. */
const showPart = (name: string) => async (page: Page) => {
  const tab = page.getByRole('tab', { name })
  if (await tab.isVisible()) await tab.click()
}

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
  await page.locator('[data-field="slides.0"] summary').click()
  const field = page.locator('[data-field="slides.0.picture"]')
  await field.locator('input[type=file]').setInputFiles('public/share.png')
  await field.getByRole('textbox', { name: 'Alt text' }).waitFor({ timeout: 60_000 })
}

/** A list of the library that has a picture. */
export async function uploadPicture(page: Page) {
  await page.goto('/content?view=pictures')
  await page.locator('input[type=file]').setInputFiles('public/share.png')
  await page.locator('.pictures-card').first().waitFor({ timeout: 60_000 })
}

export const openOnContent: readonly Shot[] = [
  { path: '/content?q=nothing-has-this-title', name: 'content-none' },
  { path: '/content', name: 'add-page', open: press('Add page') },
  { path: '/content', name: 'add-page-errors', open: inOrder(press('Add page'), answer('Add page')) },
  { path: '/content?view=facts', name: 'add-fact', open: press('Add a fact') },
  {
    path: '/content?view=facts',
    name: 'add-fact-errors',
    open: inOrder(press('Add a fact'), page => page.getByRole('dialog').locator('[type=submit]').click()),
  },
  { path: '/content?view=facts', name: 'check-fact', open: press(/^Check /) },
  { path: '/content?view=pictures', name: 'library' },
  { path: '/content?view=pictures', name: 'delete-picture', open: press(/^Delete: /) },
  { path: '/content?view=claims', name: 'claims' },
]

export const openInEditor: readonly Shot[] = [
  { path: '/content?kind=site', name: 'hours', open: inOrder(openSite, unfoldHours) },
  { path: '/content?kind=site', name: 'picture', open: inOrder(openSite, addPicture) },
  {
    path: '/content?kind=site',
    name: 'choose-picture',
    open: inOrder(openSite, addPicture, press('Choose from the library')),
  },
  { path: '/content?kind=page', name: 'page-unfolded', open: inOrder(openFees, unfold) },
  {
    path: '/content?kind=page',
    name: 'add-block',
    open: inOrder(openFees, page => page.locator('.content-editor-add > summary').first().click()),
  },
  { path: '/content?kind=page', name: 'add-link', open: inOrder(openFees, chooseTool('link')) },
  { path: '/content?kind=page', name: 'choose-fact', open: inOrder(openFees, chooseTool('fact')) },
  { path: '/content?kind=page', name: 'publish', open: inOrder(openFees, press('Publish')) },
  { path: '/content?kind=page', name: 'schedule', open: inOrder(openFees, press('Schedule')) },
  { path: '/content?kind=page', name: 'take-offline', open: inOrder(openFees, press('Take offline')) },
  { path: '/content?kind=page', name: 'delete-page', open: inOrder(openFees, press(/^Delete$/)) },
  {
    path: '/content?kind=page',
    name: 'field-errors',
    async open(page) {
      await openFees(page)
      await summary(page).fill('')
      await inOrder(untilSaved, press('Publish'), answer('Publish now'))(page)
      await page.locator('.field-error').first().waitFor()
    },
  },
  {
    path: '/content?kind=page',
    name: 'preview',
    open: inOrder(openFees, showPart('Preview')),
  },
  {
    path: '/content?kind=page',
    name: 'history',
    open: inOrder(openFees, showPart('History'), press(/^Version 1/)),
  },
  {
    path: '/content?kind=page',
    name: 'restore',
    open: inOrder(openFees, showPart('History'), press(/^Restore/)),
  },
  // What is not chosen here stays in the form.
  {
    path: '/content?kind=page',
    name: 'conflict',
    open: inOrder(openDocument('How it works, step by step'), conflict),
  },
  { path: '/content?kind=visa', name: 'claims-in-draft', open: inOrder(openVisa, claim) },
  {
    path: '/content?kind=visa',
    name: 'publish-claims',
    open: inOrder(openVisa, claim, press('Publish'), answer('Publish now'), async page =>
      page.getByRole('dialog').locator('blockquote').first().waitFor(),
    ),
  },
]

/** Office hours, holidays and the time until an answer. */
async function unfoldHours(page: Page) {
  const section = page.locator('.content-editor-section', {
    has: page.getByRole('heading', { name: 'Hours' }),
  })
  for (const summary of await section.locator('summary:not(.button)').all()) await summary.click()
  await page.getByRole('button', { name: 'Hours', exact: true }).click()
}

async function openVisa(page: Page) {
  await openDocument('Skills in Demand visa, subclass 482')(page)
}
