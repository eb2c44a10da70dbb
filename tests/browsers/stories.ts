import assert from 'node:assert/strict'
import { ADMIN_PASSWORD } from '../faults/product.ts'
import { hostileFiles } from '../support/hostile-files.ts'
import { hostileMails } from '../support/hostile-mail.ts'
import type { MailServer } from '../support/mail-server.ts'
import { closeAll, guards, openMarker, serveFiles, serveMails } from '../support/served-mail.ts'
import { type Driver, type Kind, waitFor } from './driver.ts'

/** One installation, which each browser visits after the other. */
export interface Place {
  readonly url: string
  readonly mailServer: MailServer
}

interface Story {
  readonly title: string
  /** @throws when something is not as it should be */
  run(browser: Driver, place: Place, visitor: string): Promise<void>
}

const QUESTION = 'Which visa lets my sister live near us?'
const SENTENCE = 'We say what it costs before we start.'

export const visitorStory: Story = {
  title: 'a visitor corrects a mistake in the form and sends an enquiry, which reaches staff',
  async run(browser, { url, mailServer }, visitor) {
    await browser.open(url)
    await click(browser, 'link', 'Contact')
    await waitFor(async () => (await browser.path()) === '/contact', 'the page with the form')
    await fill(browser, { Email: 'nadia@example.com', Phone: '+977 980 0000000' })
    await press(browser, 'Send enquiry')
    await browser.find('text', 'Enter your name')
    await fill(browser, { 'Your name': visitor, Message: QUESTION })
    await press(browser, 'Send enquiry')
    await browser.find('text', 'Thank you for your interest')
    const notice = await mailServer.next(({ subject }) => subject?.includes('LF-') ?? false)
    assert.ok(notice.text?.includes(visitor), 'The email has the name that was typed')
  },
}

export const staffStory: Story = {
  title: 'a member of staff signs in with a code, reads the enquiry, and writes and publishes a page',
  async run(browser, place, visitor) {
    await signIn(browser, place)
    await click(browser, 'link', 'Messages')
    await browser.find('heading', 'Messages')
    await click(browser, 'link', visitor)
    await browser.find('text', QUESTION)
    await browser.open(`${place.url}/content`)
    await press(browser, 'Add page')
    await fill(browser, { Title: `Words of ${visitor}` })
    await press(browser, 'Add page')
    await fill(browser, { Summary: 'How we work.' })
    await click(browser, 'block', '1')
    await (await browser.find('textbox', 'Text')).type(SENTENCE)
    await browser.find('text', 'Draft saved')
    await press(browser, 'Publish')
    await press(browser, 'Publish now')
    await browser.find('button', 'Take offline')
    await browser.open(`${place.url}/words-of-${visitor.toLowerCase().replaceAll(' ', '-')}`)
    await browser.find('text', SENTENCE)
  },
}

/** Milliseconds for what a browser fetches when it has nothing else to do. */
const SETTLED = 3000

/** Here the addresses are numbers: not every browser takes each name below `localhost` for this machine. */
export const mailStory: Story = {
  title:
    'hostile mails with their formatting fetch nothing, behind each guard alone, and much without any (G35)',
  async run(browser) {
    for (const [name, guard] of Object.entries(guards)) {
      const marker = await openMarker('127.0.0.1')
      const { server, url } = await serveMails(Object.values(hostileMails(marker.url)), guard)
      await browser.open(url)
      await new Promise(resolve => setTimeout(resolve, SETTLED))
      const requests = [...marker.seen.requests]
      // It must be gone before it meets a server that has ended.
      await browser.open('about:blank')
      closeAll(server, marker.server)
      if (guard.hasPolicy || guard.isCleaned) assert.deepEqual(requests, [], name)
      else assert.ok(requests.length > 25, `${requests.length} requests behind ${name}`)
    }
  },
}

export const filesStory: Story = {
  title: 'sixty hostile files fetch nothing as they are downloaded, and much as their senders call them',
  async run(browser) {
    for (const isGuarded of [true, false]) {
      const marker = await openMarker('127.0.0.1')
      const { server, url } = await serveFiles(hostileFiles(marker.url), isGuarded)
      await browser.open(url)
      await new Promise(resolve => setTimeout(resolve, SETTLED))
      const requests = [...marker.seen.requests]
      await browser.open('about:blank')
      closeAll(server, marker.server)
      if (isGuarded) assert.deepEqual(requests, [])
      else assert.ok(requests.length > 20, `${requests.length} requests`)
    }
  },
}

async function signIn(browser: Driver, { url, mailServer }: Place) {
  await browser.open(`${url}/auth`)
  await fill(browser, { Email: 'admin@localhost.test', Password: ADMIN_PASSWORD })
  await press(browser, 'Login')
  const email = await mailServer.next(({ subject }) => subject?.includes('sign-in code for') ?? false)
  await fill(browser, { 'Verification code': /^\d{6}$/m.exec(email.text ?? '')?.[0] ?? '' })
  await press(browser, 'Verify')
  await waitFor(async () => (await browser.path()) === '/dashboard', 'the dashboard')
}

async function fill(browser: Driver, values: Readonly<Record<string, string>>) {
  for (const [label, text] of Object.entries(values)) await (await browser.find('field', label)).type(text)
}

async function press(browser: Driver, name: string) {
  await click(browser, 'button', name)
}

/** Again, when the screen has changed since it was found. */
async function click(browser: Driver, kind: Kind, name: string) {
  await waitFor(async () => {
    await (await browser.find(kind, name)).click()
    return true
  }, `${kind} ${name}, to be clicked`)
}
