import { expect, type Page } from '@playwright/test'
import { newPictureUse } from '../../src/content/picture-use.ts'
import { createArchive } from '../../src/platform/zip.ts'
import { isAtLength } from '../support/at-length.ts'
import { drawPng } from '../support/pictures.ts'
import { exportOf } from '../support/wordpress.ts'
import { toast } from './expect-texts.ts'
import { type Installation, openSettingsBeside, signIn, testApart } from './installation.ts'
import { button, calls, listenTo, press, question } from './press-twice.ts'
import { addStaff } from './staff.ts'

const test = testApart()
test.skip(
  !isAtLength,
  'All buttons have one guard, which writes.spec.ts and press-guard.test.ts show in every check',
)

const dialog = (page: Page) => page.getByRole('dialog')
const summary = (page: Page) => page.getByRole('textbox', { name: 'Summary' })
const review = (page: Page) => page.getByRole('region', { name: 'Review', exact: true })

async function setReview({ data }: Installation, value: 'true' | 'false') {
  const { db, settings } = await openSettingsBeside(data)
  await settings.write('content_needs_review', value)
  await db.destroy()
}

async function signInEditor(page: Page, installation: Installation, name: string) {
  await signIn(page, installation, await addStaff(installation, name, { role: 'editor' }))
}

test('pressing each button of a document and of the pictures twice makes each call once', async ({
  page,
  installation,
}) => {
  await setReview(installation, 'false')
  await signInEditor(page, installation, 'Ana Editor')
  const { sent } = listenTo(page)
  await addPage(page, 'Old fees')
  await summary(page).fill('What our work costs.')
  await writeText(page, 'We charge before we start.')
  await press(button(page, 'Duplicate'), calls['content.duplicate'])
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Old fees (copy)')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('(copy)')
  await button(page, 'Publish').dblclick()
  await press(button(dialog(page), 'Publish now'), calls['content.publish'])
  await expect(dialog(page)).toBeHidden()
  await summary(page).fill('What our help costs.')
  await button(page, 'Publish').click()
  await press(dialog(page).getByLabel('Note'), calls['content.publish'], 'Enter')
  await expect(dialog(page)).toBeHidden()
  await button(page, 'Restore version 1 as draft').dblclick()
  await press(button(question(page), 'Restore as draft'), calls['content.restore'])
  await expect(summary(page)).toHaveValue('What our work costs.')
  await expect(question(page)).toBeHidden()
  await button(page, 'Take offline').dblclick()
  await press(button(question(page), 'Take offline'), calls['content.unpublish'])
  await expect(question(page)).toBeHidden()
  await summary(page).fill('What our work once cost.')
  await button(page, 'Delete').dblclick()
  await press(button(question(page), 'Delete'), calls['archive.delete'])
  await press(button(toast(page), 'Undo'), calls['archive.restore'])
  await expect(page.getByRole('row', { name: 'Old fees /' })).toBeVisible()
  await expect(page).toHaveURL('/content')
  await page.goto('/content?view=pictures')
  await expect(page.getByRole('meter')).toBeVisible()
  await failOnce(page, '**/api/content/pictures')
  await page.locator('input[type=file]').setInputFiles('public/icon-192.png')
  await expect(page.getByRole('alert')).toContainText('The server could not be reached')
  await press(button(page, 'Try again'), calls['pictures.upload'])
  await page.getByRole('button', { name: /^Delete: Picture of 192/ }).dblclick()
  await press(button(question(page), 'Delete'), calls['pictures.delete'])
  await expect(question(page)).toBeHidden()
  await page.goto('/content?view=brand')
  await failOnce(page, '**/api/content/pictures/logo')
  await page.locator('input[type=file]').last().setInputFiles('public/icon-192.png')
  await expect(page.getByRole('alert').last()).toContainText('The server could not be reached')
  await press(button(page, 'Try again'), calls['pictures.uploadLogo'])
  const { 'content.create': create, 'content.publish': publish, 'content.restore': restore } = calls
  const { 'content.unpublish': unpublish, 'archive.delete': remove, 'archive.restore': undo } = calls
  const { 'pictures.upload': upload, 'pictures.delete': removePicture } = calls
  const ofDocument = [create, calls['content.duplicate'], publish, publish, restore, unpublish, remove, undo]
  const logo = calls['pictures.uploadLogo']
  // The first upload of each is the one that failed.
  expect(sent).toEqual([...ofDocument, upload, upload, removePicture, logo, logo])
})

/** Longer than a double click, as for everybody who reads why it failed. */
async function failOnce(page: Page, address: string) {
  await page.route(
    address,
    async route => {
      await page.waitForTimeout(400)
      await route.abort()
    },
    { times: 1 },
  )
}

/** Ends in the editor of the new page. */
async function addPage(page: Page, title: string) {
  await page.goto('/content')
  await button(page, 'Add page').dblclick()
  await dialog(page).getByLabel('Title').fill(title)
  await press(button(dialog(page), 'Add page'), calls['content.create'])
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
}

async function writeText(page: Page, words: string) {
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.or(page.locator('.content-editor-item summary')).first().click()
  await text.fill(words)
}

test('pressing each button of a review and of the facts twice makes each call once', async ({
  page: ana,
  browser,
  installation,
}) => {
  await setReview(installation, 'true')
  await signInEditor(ana, installation, 'Ana Editor')
  const ben = await (await browser.newContext({ baseURL: installation.url })).newPage()
  await signInEditor(ben, installation, 'Ben Editor')
  const sent = { ana: listenTo(ana).sent, ben: listenTo(ben).sent }
  await addPage(ana, 'New fees')
  await writeText(ana, 'We charge before we start.')
  await askForReview(ana, 'What our work costs.')
  await press(button(review(ana), 'Withdraw'), calls['reviews.withdraw'])
  await expect(review(ana)).toBeHidden()
  await askForReview(ana, 'What our help costs.')
  await ben.goto(ana.url())
  await button(review(ben), 'Decline').dblclick()
  await dialog(ben).getByLabel('What should change').fill('Say when it is due')
  await press(button(dialog(ben), 'Decline'), calls['reviews.decline'])
  await expect(dialog(ben)).toBeHidden()
  await ana.reload()
  await askForReview(ana, 'What our work costs, and when.')
  await ben.reload()
  await press(button(review(ben), 'Approve and publish'), calls['reviews.approve'])
  await expect(review(ben)).toBeHidden()

  await ana.goto('/content?view=facts')
  await changeFact(ana, 'Sixty points')
  await press(button(ana, 'Withdraw'), calls['facts.discard'])
  await expect(button(ana, 'Withdraw')).toBeHidden()
  await changeFact(ana, 'Seventy points')
  await expect(button(ana, 'Withdraw')).toBeVisible()
  await ben.goto('/content?view=facts')
  await press(button(ben, 'Approve'), calls['facts.approve'])
  await expect(button(ben, 'Approve')).toBeHidden()
  await ben.context().close()
  const { 'reviews.ask': ask, 'reviews.withdraw': withdraw } = calls
  const { 'facts.change': change, 'facts.discard': discard, 'facts.approve': approve } = calls
  expect(sent.ana).toEqual([calls['content.create'], ask, withdraw, ask, ask, change, discard, change])
  expect(sent.ben).toEqual([calls['reviews.decline'], calls['reviews.approve'], approve])
})

test('pressing each button of the samples twice makes each call once (found E3)', async ({
  page,
  installation,
}) => {
  await setReview(installation, 'false')
  await signInEditor(page, installation, 'Cy Editor')
  await page.goto('/content?view=samples')
  const { sent } = listenTo(page)
  await button(page, /^It is ours/)
    .first()
    .dblclick()
  await dialog(page).getByLabel('How you can prove it').fill('We answer the telephone at night')
  await press(button(dialog(page), 'It is ours'), calls['samples.confirm'])
  await expect(dialog(page)).toBeHidden()
  await press(button(page, /^Remove all \d+ samples$/), calls['samples.remove'])
  await expect(page.getByText(/No invented name, number or claim is left/)).toBeVisible()
  await press(button(page, 'Undo'), calls['samples.undo'])
  await expect(button(page, /^Remove all \d+ samples$/)).toBeVisible()
  expect(sent).toEqual([calls['samples.confirm'], calls['samples.remove'], calls['samples.undo']])
})

test('pressing each button of the old addresses and of an import twice makes each call once', async ({
  page,
  installation,
}) => {
  await signInEditor(page, installation, 'Di Editor')
  await page.goto('/content?view=addresses')
  const { sent } = listenTo(page)
  await button(page, 'Add an old address').dblclick()
  await dialog(page).getByLabel('Old address').fill('https://old.example/2021/03/fees/')
  await dialog(page).getByLabel('Leads to').fill('/contact')
  await press(button(dialog(page), 'Add'), calls['redirects.add'])
  await press(button(page, 'Remove /2021/03/fees'), calls['redirects.remove'])
  await press(button(toast(page), 'Undo'), calls['redirects.add'])
  await expect(button(page, 'Remove /2021/03/fees')).toBeVisible()

  await page.goto('/content?view=import')
  const picture = drawPng(64, 48, 0)
  const content = `<p>Words</p><img src="data:image/png;base64,${picture.toString('base64')}" alt="A boat">`
  const file = {
    name: 'export.xml',
    mimeType: 'text/xml',
    buffer: Buffer.from(exportOf([{ id: 1, content }])),
  }
  await page.getByLabel('Export file (XML)').setInputFiles(file)
  await press(button(page, 'Read the files'), calls['moving.plan'])
  await press(button(page, 'Import as drafts'), calls['moving.import'])
  await expect(page.getByText('1 imported as drafts')).toBeVisible()
  await page.getByRole('link', { name: 'Post 1' }).first().click()
  await expect(summary(page)).toHaveValue('Words')

  await page.goto('/content?view=import')
  await page.getByLabel('Archive (ZIP)').setInputFiles(await writeArchive(drawPng(48, 48, 0)))
  await press(button(page, 'Read the archive'), calls['moving.plan'])
  await press(button(page, 'Import the archive'), calls['moving.import'])
  await expect(page.getByText('1 imported as drafts')).toBeVisible()
  const { 'redirects.add': add, 'redirects.remove': remove, 'moving.plan': plan } = calls
  const { 'pictures.upload': upload, 'pictures.keep': keep, 'moving.import': send } = calls
  expect(sent).toEqual([add, remove, add, plan, upload, send, plan, keep, send])
})

/** An archive of one page with a picture. */
async function writeArchive(bytes: Buffer) {
  const id = 'ab'.repeat(16)
  const use = { ...newPictureUse({ id, width: 48, height: 48 }), alt: 'A buoy' }
  const blocks = [{ id: 'p', type: 'picture', picture: use, caption: null }]
  const draft = { path: '/of-archive', title: 'Of an archive', description: '', blocks }
  const archive = createArchive()
  archive.add(
    'manifest.json',
    JSON.stringify({ format: 'landfall-content', version: 1, redirects: [], facts: [] }),
  )
  archive.add(
    'documents/x.json',
    JSON.stringify({ id: 'x', kind: 'page', path: draft.path, title: draft.title, draft, live: null }),
  )
  archive.add(`pictures/${id}.webp`, new Uint8Array(bytes))
  const buffer = Buffer.from(await archive.finish().arrayBuffer())
  return { name: 'content.zip', mimeType: 'application/zip', buffer }
}

/** Types and asks before that has saved itself. */
async function askForReview(page: Page, words: string) {
  await summary(page).fill(words)
  await button(page, 'Ask for a review').dblclick()
  await press(button(dialog(page), 'Ask for a review'), calls['reviews.ask'])
  await expect(dialog(page)).toBeHidden()
  await expect(review(page)).toContainText('You asked on')
}

async function changeFact(page: Page, value: string) {
  await button(page, 'Check general-skilled-migration-pass-mark').dblclick()
  await dialog(page).getByLabel('Value').fill(value)
  await press(button(dialog(page), 'Save'), calls['facts.change'])
  await expect(dialog(page)).toBeHidden()
}
