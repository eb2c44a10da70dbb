import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { differ, otherContent } from '../../tests/support/other-content.ts'
import { openSite } from '../../tests/support/site.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { dashboard } from '../features/dashboard/contract.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { signInPaths, verifyEmailPath } from '../screens.ts'
import { sampleContent } from './sample.server.ts'
import { createContentStore } from './store.server.ts'

const paths = [
  '/',
  '/about-us',
  '/contact',
  '/contact?form=visa-assessment',
  '/contact/received?reference=LF-0000-0000',
  '/no-such-page',
  '/site.webmanifest',
  ...signInPaths,
  verifyEmailPath,
]
/** The picture for messengers is a file, and this describes what is painted in it. */
const SHARE_IMAGE_TEXT = /<meta (?:property="og|name="twitter):image:alt" content="[^"]*"\/>/g
/** Characters. Shorter texts of the sample, such as Closed, are also in texts of the product. */
const MIN_DISTINCT = 16

const { company, agent, hours, slides, claims } = sampleContent
const remaining = leavesOf(otherContent)
const texts = [
  ...[...leavesOf(sampleContent)].filter(text => text.length >= MIN_DISTINCT && !remaining.has(text)),
  ...[agent.name, agent.registrationNumber, company.abn, company.phone, company.chat.handle],
]

suite('Content', async () => {
  const testApp = await openTestApp({}, { content: otherContent })
  const site = await openSite(testApp)
  const readAll = async () => await Promise.all(paths.map(path => read(path)))
  const read = async (path: string) =>
    (await (await fetch(site.url + path)).text()).replaceAll(SHARE_IMAGE_TEXT, '')

  test('another content shows on every page in the next request, and nothing of the one before remains', async () => {
    const before = await readAll()
    assert.equal(site.services.content.read().content.agent.name, agent.name)
    site.services.content.replace(otherContent)
    const after = await readAll()
    for (const [at, path] of paths.entries()) {
      const [was = '', is = ''] = [before[at], after[at]]
      const shown = texts.filter(text => holds(was, text))
      assert.ok(shown.length > 5 || path === '/site.webmanifest', `${path} shows the sample at first`)
      for (const text of shown) assert.ok(holds(is, differ(text)), `${path} shows: ${differ(text)}`)
      for (const text of texts) assert.ok(!holds(is, text), `${path} still shows: ${text}`)
    }
  })

  test('a page that is rendered during a change shows one content only', async () => {
    const { content, config } = site.services
    for (let turns = 0; turns < 20; turns++) {
      content.replace(sampleContent)
      const reply = site.fetch(new Request(`${config.publicUrl}/no-such-page`))
      for (let turn = 0; turn < turns; turn++) await null
      content.replace(otherContent)
      const page = await (await reply).text()
      for (const text of [agent.name, `<h2>${company.siteName}</h2>`])
        assert.ok(page.includes(text), `${turns} turns after the request: ${text}`)
    }
  })

  test('an hour, a slide and a claim are on the page that shows them', async () => {
    const [home, contact] = [await read('/'), await read('/contact')]
    assert.ok(holds(contact, differ(hours[0]?.time ?? '')))
    assert.ok(holds(home, differ(slides[2].title)))
    assert.ok(holds(home, differ(claims[0]?.value ?? '')))
    // Dates are written out.
    assert.ok(holds(home, '4 March 2019') && !holds(home, '1 July 2026'))
  })

  test('search engines get the agency of the current content', async () => {
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await read('/'))?.[1] ?? ''
    const described = JSON.parse(json)
    assert.equal(described.name, otherContent.company.siteName)
    assert.equal(described.telephone, otherContent.company.phone)
    assert.equal(described.founder.name, otherContent.agent.name)
    assert.equal(described.openingHoursSpecification[0].opens, otherContent.openingHours[0]?.opens)
    assert.equal(described.address.postalCode, '3111')
  })

  test('emails are signed by the agent of the current content', async () => {
    await testApp.browser().call(enquiries.contact, {
      name: 'Mai Nguyen',
      email: 'mai@visitor.test',
      phone: '+61 400 000 000',
      message: 'What does a partner visa cost?',
    })
    const email = await testApp.mailServer.next(({ subject }) => subject?.includes('Mai Nguyen') ?? false)
    const { company, agent } = otherContent
    assert.equal(email.from?.name, company.siteName)
    for (const text of [email.text ?? '', email.html ?? ''])
      assert.ok(text.includes(`${agent.name}, registered migration agent, MARN ${agent.registrationNumber}`))
  })

  test('the dashboard counts the days of the office in the current content', async () => {
    const { email } = await createStaff(testApp, 'admin')
    const admin = await signInAs(testApp, email)
    assert.equal((await admin.call(dashboard.read, {})).enquiries?.timeZone, 'Australia/Perth')
    testApp.services.content.replace(sampleContent)
    assert.equal((await admin.call(dashboard.read, {})).enquiries?.timeZone, 'Australia/Sydney')
  })

  test('each content has a revision of its own, and a page keeps the one that it read', () => {
    const store = createContentStore(sampleContent)
    const first = store.read()
    let changes = 0
    store.onChange(() => changes++)
    store.replace(otherContent)
    assert.equal(store.read().content, otherContent)
    assert.equal(first.content, sampleContent)
    assert.notEqual(store.read().revision, first.revision)
    assert.equal(changes, 1)
  })
})

/** Every text in a value, once. */
function leavesOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') found.add(value)
  else if (value && typeof value === 'object') for (const each of Object.values(value)) leavesOf(each, found)
  return found
}

/** Whether a page has a text, as HTML or as JSON. */
function holds(page: string, text: string): boolean {
  const html = text.replace(
    /[&<>"']/g,
    each => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[each] ?? '#x27'};`,
  )
  return page.includes(html) || page.includes(JSON.stringify(text))
}
