import { expect, type Page } from '@playwright/test'
import { hostileTexts } from '../support/hostile-texts.ts'
import { openCaller } from './caller.ts'
import { expectUnharmed, numbersAt, PLANTED, shown, test, textsFor } from './hostile.ts'
import { chooseDelete } from './inbox.ts'
import { type Installation, signIn } from './installation.ts'

// Forty texts in each of several places take their time on a busy machine.
test.describe.configure({ timeout: 180_000 })

const names = textsFor({ most: 100 })
const phones = textsFor({ least: 7, most: 32 })

/** One enquiry of each text, each from an address of its own. */
async function sendAll({ url }: Installation): Promise<void> {
  for (const [number, message] of hostileTexts.entries()) {
    const enquiry = { name: names[number], phone: phones[number], email: `v${number}@example.test`, message }
    const reply = await fetch(`${url}/api/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.51.100.${number}` },
      body: JSON.stringify({ ...enquiry, message: message.padEnd(10, '.') }),
    })
    expect(reply.status, message).toBe(201)
  }
}

test('hostile texts that a visitor writes in a form stay in its fields as text', async ({ page, watch }) => {
  await watch(page)
  await page.goto('/contact')
  await expect(page.locator('[data-island="enquiry-form"][data-live]')).toBeVisible()
  for (const number of numbersAt(0)) {
    const text = hostileTexts[number] ?? ''
    await page.getByLabel('Your name').fill(names[number] ?? '')
    await page.getByLabel('Phone').fill(phones[number] ?? '')
    await page.getByLabel('Email').fill(text)
    await page.getByLabel('Message').fill(text)
    await expect(page.getByLabel('Message')).toHaveValue(text)
  }
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await expect(page.getByText('Please enter a valid email address').first()).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Message')).toHaveValue(hostileTexts[numbersAt(0).at(-1) ?? 0] ?? '')
})

test('a form sent without a script comes back with the texts, on a site that is named by them', async ({
  page,
  watch,
  browser,
  installation,
}) => {
  await watch(page)
  const admin = await (await browser.newContext()).newPage()
  await signIn(admin, installation)
  const call = await openCaller(admin)
  await page.goto('/contact')
  for (const number of numbersAt(1)) {
    const text = hostileTexts[number] ?? ''
    await call('PUT', '/api/settings/site_name', { value: names[number] })
    await call('PUT', '/api/settings/contact_phone', { value: phones[number] })
    await postForm(page, {
      name: names[number],
      phone: phones[number],
      email: text,
      message: text,
      formType: text,
    })
    await expect(page.getByLabel('Your name')).toHaveValue(names[number] ?? '')
    await expect(page.getByLabel('Message')).toHaveValue(text)
    expect(await page.title()).toContain(shown(names[number] ?? ''))
    await expectUnharmed(page)
  }
})

/** As a form does: the answer is a document of its own. */
async function postForm(page: Page, fields: Record<string, string | undefined>) {
  await Promise.all([
    page.waitForNavigation(),
    page.evaluate(given => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/contact'
      for (const [name, value = ''] of Object.entries(given)) {
        const field = document.createElement('textarea')
        Object.assign(field, { name, value })
        form.append(field)
      }
      document.body.append(form)
      form.submit()
    }, fields),
  ])
}

test('a hostile text in a URL does nothing', async ({ page, watch, installation }) => {
  await watch(page)
  for (const [number, text] of hostileTexts.entries()) {
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': `203.0.113.${number}` })
    const written = encodeURIComponent(text)
    const places = [
      '/contact?service=',
      '/contact/received?reference=',
      '/verify-email?token=',
      '/auth?next=',
    ]
    await page.goto(`${installation.url}${places[number % places.length]}${written}`)
    await expect(page.locator('h1').first()).toBeVisible()
    await expectUnharmed(page)
  }
})

test('staff read the enquiries as they were written, in the list, the dialogs and the search', async ({
  admin,
  installation,
}) => {
  await sendAll(installation)
  // So high that every row is drawn.
  await admin.setViewportSize({ width: 1440, height: 5000 })
  await admin.goto('/messages')
  const rows = admin.locator('tbody tr').filter({ hasText: '@example.test' })
  await expect(rows).toHaveCount(hostileTexts.length)
  const listed = (await rows.allTextContents()).map(shown)
  await expectUnharmed(admin)
  const dialog = admin.getByRole('dialog', { name: 'Message from' })
  for (const [number, text] of hostileTexts.entries()) {
    const name = shown(names[number] ?? '')
    // The newest is the first.
    const at = hostileTexts.length - 1 - number
    expect(listed[at]).toContain(name)
    if (!numbersAt(2).includes(number)) continue
    // By key, since a click on a row does nothing just after the list was read again, as it is with each email that is sent.
    await rows.nth(at).getByRole('link').first().press('Enter')
    await expect(dialog).toContainText(`Message from ${name}`)
    await expect(dialog).toContainText(shown(text))
    await expect(dialog).toContainText(shown(phones[number] ?? ''))
    await expectUnharmed(admin)
    await chooseDelete(dialog)
    await expect(admin.getByRole('alertdialog')).toContainText(`this message from ${name}?`)
    await expectUnharmed(admin)
    await admin.keyboard.press('Escape')
    await expect(admin.getByRole('alertdialog')).toBeHidden()
    await admin.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  for (const text of textsFor({ most: 200 })) {
    await admin.getByRole('searchbox').fill(text)
    await expect(admin.getByRole('searchbox')).toHaveValue(text)
  }
  await expectUnharmed(admin)
})

test('emails about hostile enquiries are safe in a mail program without a policy', async ({
  admin,
  installation,
  watch,
  browser,
}) => {
  const { mailServer } = installation
  await sendAll(installation)
  const call = await openCaller(admin)
  const { messages } = await call('GET', `/api/messages?limit=${hostileTexts.length}`)
  expect(messages.length).toBe(hostileTexts.length)
  for (const { id } of messages) await call('POST', `/api/messages/${id}/forward`)
  // Each forward, and the notices that come before the digest of an hour.
  const expected = messages.length + hostileTexts.length
  await expect(() => expect(mailServer.emails.length).toBeGreaterThanOrEqual(expected)).toPass()
  for (const { subject = '', recipients } of mailServer.emails) {
    expect(recipients).toHaveLength(1)
    expect(subject).not.toMatch(/[\r\n]/)
  }
  const reader = await watch(await (await browser.newContext()).newPage())
  expect(
    await openAll(
      reader,
      mailServer.emails.map(({ html = '' }) => html),
    ),
  ).toEqual([])
})

/** Opens every email in a frame of its own, where it may do all that it can. @returns the elements that no email has */
async function openAll(reader: Page, emails: readonly string[]): Promise<string[]> {
  await reader.evaluate(async emails => {
    const frames = emails.map(srcdoc => Object.assign(document.createElement('iframe'), { srcdoc }))
    const loaded = frames.map(frame => new Promise(resolve => frame.addEventListener('load', resolve)))
    document.body.append(...frames)
    await Promise.all(loaded)
  }, emails)
  const found = await reader.evaluate(planted => {
    const documents = [...document.querySelectorAll('iframe')].map(frame => frame.contentDocument)
    return documents.flatMap(it => [...(it?.querySelectorAll(planted) ?? [])].map(each => each.outerHTML))
  }, `${PLANTED}, script, svg, iframe, form, img, style, math, a[href^="javascript"]`)
  await reader.setContent('')
  return found
}
