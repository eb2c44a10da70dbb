import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import {
  type Installation,
  openInstallation,
  openSettingsBeside,
  signIn,
  signInByHand,
} from '../tests/e2e/installation.ts'
import { addStaff } from '../tests/e2e/staff.ts'
import { findBrowser } from './browser.ts'
import { drawPng, openBrowser, type Part, takePicture } from './screen-pictures.ts'

/**
 * Takes the pictures of docs/editing.md: does what that page says, in the built product with an empty data folder. They are
 * checked in; run this after changing a screen that they show, and look at them. `npm run editing:pictures`
 */
const FOLDER = 'docs/editing'
/** Pixels. Form, preview and history stand side by side. */
const WIDE = 1440

const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
const installation = await openInstallation()
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
try {
  await takePictures(browser, installation)
} finally {
  await browser.close()
  await installation.close()
}

async function takePictures(browser: Browser, installation: Installation) {
  const admin = await openBrowser(browser, installation.url)
  await signInByHand(admin, installation)
  await showList(admin)
  const [ana, ben] = [await openAs('Ana Lopez'), await openAs('Ben Okafor')]
  await showSentence(ana)
  await showConflict(ana, ben)
  await showClaims(ana)
  await showBlocks(ana)
  await showRichText(ana)
  await showPicture(ana)
  await showFact(ana)
  await showReview(ana, ben)
  await showHistory(admin)
}

async function showList(page: Page) {
  await page.goto('/content')
  await page.getByRole('link', { name: 'What our work costs' }).waitFor()
  await take(page, 'list', { height: 500 })
}

async function showSentence(page: Page) {
  await page.setViewportSize({ width: WIDE, height: 800 })
  await openDocument(page, 'How it works, step by step')
  await preview(page).locator('[data-edit="description"]').click()
  await take(page, 'sentence', { width: WIDE, height: 860 })
}

/** Two people change the same field; who saves last has to choose. */
async function showConflict(page: Page, other: Page) {
  for (const each of [page, other]) await openDocument(each, 'What our work costs')
  await summary(other).fill('What you pay us and others, and when. The total is agreed in writing first.')
  await untilSaved(other)
  await summary(page).fill('What our work costs, and when you pay. You agree to the total in writing.')
  const field = page.locator('[data-field="description"]')
  await field.getByRole('button', { name: 'Keep mine' }).waitFor()
  await take(page, 'conflict', { around: field })
  await field.getByRole('button', { name: 'Keep mine' }).click()
  await untilSaved(page)
}

async function showClaims(page: Page) {
  await addPage(page, 'Why us')
  await summary(page).fill('We are the best firm in town. We guarantee your visa.')
  await preview(page).locator('[data-claim]').first().waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish' })
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await dialog.getByText('Only an admin may keep this.').waitFor()
  await take(page, 'claims', { around: dialog, isAlone: true, height: 1100 })
  await page.keyboard.press('Escape')
}

async function showBlocks(page: Page) {
  await openDocument(page, 'What our work costs')
  const menu = page.locator('.content-editor-add > summary')
  await menu.click()
  await take(page, 'blocks', { around: page.locator('[data-field="blocks"]'), height: 1400 })
  await menu.click()
}

async function showRichText(page: Page) {
  await addPage(page, 'Points for a visa')
  const block = page.locator('.content-editor-item').first()
  await block.locator('summary').click()
  const text = block.getByRole('textbox', { name: 'Text' })
  await expect(text).toHaveAttribute('contenteditable', 'true')
  await text.click()
  await page.keyboard.type('## What counts')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Study in Australia adds ')
  await block.getByRole('button', { name: 'Fact', exact: true }).click()
  await page.getByRole('combobox', { name: 'Fact' }).selectOption('points-for-study-in-australia')
  await page.getByRole('button', { name: 'Add fact' }).click()
  await page.keyboard.type('.')
  await untilSaved(page)
  await take(page, 'text', { around: block })
}

async function showPicture(page: Page) {
  await openDocument(page, 'Landfall Migration')
  await page.locator('[data-field="slides.0"] summary').click()
  const field = page.locator('[data-field="slides.0.picture"]')
  await field
    .locator('input[type=file]')
    .setInputFiles(await drawPng(page, 'src/features/site/scenes/harbour.svg'))
  await field.getByRole('textbox', { name: 'Alt text' }).fill('Sailing boats on the harbour at dawn')
  await field.getByRole('radio', { name: 'middle centre right' }).click()
  await untilSaved(page)
  await take(page, 'picture', { around: field, height: 1000 })
}

async function showFact(page: Page) {
  await page.goto('/content?view=facts')
  const fact = page.getByRole('listitem').filter({ hasText: 'claim-occupations-on-the-core-skills-list' })
  await take(page, 'fact', { around: fact })
}

/** While publishing needs a second person. */
async function showReview(page: Page, other: Page) {
  const { db, settings } = await openSettingsBeside(installation.data)
  await settings.write('content_needs_review', 'true')
  await db.destroy()
  await openDocument(page, 'How it works, step by step')
  await summary(page).fill('What happens between your first question and the decision, step by step.')
  await page.getByRole('button', { name: 'Ask for a review' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note (optional)').fill('Shorter, and easier to find')
  await dialog.getByRole('button', { name: 'Ask for a review' }).click()
  await expect(dialog).toHaveCount(0)
  await openDocument(other, 'How it works, step by step')
  const bar = other.getByRole('region', { name: 'Review', exact: true })
  await take(other, 'review', { around: bar })
  await bar.getByRole('button', { name: 'Approve and publish' }).click()
  await expect(bar).toHaveCount(0)
}

async function showHistory(page: Page) {
  await page.setViewportSize({ width: WIDE, height: 800 })
  await openDocument(page, 'How it works, step by step')
  const history = page.locator('.content-editor-history')
  await history.getByRole('button', { name: /^Version 1/ }).click()
  await history.getByText('1 place').waitFor()
  await take(page, 'history', { around: history, width: WIDE })
}

async function openAs(name: string): Promise<Page> {
  const page = await openBrowser(browser, installation.url)
  await signIn(page, installation, await addStaff(installation, name, { role: 'editor' }))
  return page
}

async function openDocument(page: Page, title: string) {
  await page.goto('/content')
  await page.getByRole('link', { name: title, exact: true }).click()
  await preview(page).locator('h1').first().waitFor()
}

async function addPage(page: Page, title: string) {
  await page.goto('/content')
  await page.getByRole('button', { name: 'Add page' }).click()
  await page.getByLabel('Title').fill(title)
  await page.getByRole('dialog').getByRole('button', { name: 'Add page' }).click()
  await summary(page).waitFor()
}

function summary(page: Page) {
  return page.getByRole('textbox', { name: 'Summary' })
}

function preview(page: Page) {
  return page.frameLocator('.content-editor-frame:not([inert])')
}

async function untilSaved(page: Page) {
  await expect(page.locator('.content-editor-status [role=status]')).toContainText(/Draft saved \d\d:\d\d/)
}

async function take(page: Page, name: string, part: Part) {
  writeFileSync(join(FOLDER, `${name}.webp`), await takePicture(page, part))
  process.stdout.write(`${name}\n`)
}
