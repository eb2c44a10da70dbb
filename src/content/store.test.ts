import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openBrowser } from '../../tests/support/browser.ts'
import { publishSite } from '../../tests/support/content.ts'
import { leavesOf } from '../../tests/support/leaves.ts'
import { differ, otherContent } from '../../tests/support/other-content.ts'
import { openSite } from '../../tests/support/site.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { dashboard } from '../features/dashboard/contract.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { sampleContent } from '../sample/site.server.ts'
import { signInDocumentPaths } from '../screens.ts'
import type { FirstSite } from './first-content.server.ts'
import { openContentStore } from './store.server.ts'

const paths = [
  '/',
  '/about-us',
  '/contact',
  '/contact?form=visa-assessment',
  '/contact/received?reference=LF-0000-0000',
  '/no-such-page',
  '/site.webmanifest',
  ...signInDocumentPaths,
]
/** The picture for messengers is a file, and this describes what is painted in it. */
const SHARE_IMAGE_TEXT = /<meta (?:property="og|name="twitter):image:alt" content="[^"]*"\/>/g
/** Characters. Shorter texts of the sample, such as Closed, are also in texts of the product. */
const MIN_DISTINCT = 16
/** More than it takes to read another content, so that a page begins before, during and after the change. */
const TURNS = 40
/** PostgreSQL answers in later turns of the event loop. */
const nextTurn = async () => await (process.env.TEST_DATABASE_URL ? setImmediate() : null)

const { company, agent, slides } = sampleContent.site
const remaining = new Set(leavesOf(otherContent))
const texts = [
  ...leavesOf(sampleContent).filter(
    text => text.length >= MIN_DISTINCT && !remaining.has(text) && text !== company.timeZone,
  ),
  ...[agent.name, agent.registrationNumber, company.abn, company.phone, company.chat?.handle].map(String),
]

suite('Content', async () => {
  const testApp = await openTestApp()
  const site = await openSite(testApp, { print: () => {} })
  const { publicUrl } = site.services.config
  const { email } = await createStaff(testApp, 'admin')
  const siteBrowser = openBrowser({ fetch: request => site.fetch(request) }, publicUrl, '192.0.2.1')
  const [admin, adminOfSite] = [await signInAs(testApp, email), await signInAs(testApp, email, siteBrowser)]
  const readAll = async () => await Promise.all(paths.map(path => read(path)))
  const read = async (path: string) =>
    (await (await fetch(site.url + path)).text()).replaceAll(SHARE_IMAGE_TEXT, '')

  /** Publishes on the node of the site, and makes that of the test app read it at once. */
  async function publish(content: FirstSite) {
    await publishSite(testApp, adminOfSite, content)
    await testApp.services.content.refresh()
  }

  test('another content shows on every page in the next request, and nothing of the one before remains', async () => {
    const before = await readAll()
    assert.equal(site.services.content.read().content.agent.name, agent.name)
    await publishSite(testApp, adminOfSite, otherContent)
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
    const seen = new Set<string>()
    for (let turns = 0; turns < TURNS; turns++) {
      await publishSite(testApp, admin, turns % 2 === 0 ? sampleContent : otherContent)
      const refreshed = site.services.content.refresh()
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      const page = await (await site.fetch(new Request(`${publicUrl}/no-such-page`))).text()
      await refreshed
      const shown = [sampleContent, otherContent].map(({ site: { agent, company } }) =>
        [String(agent.name), `${company.siteName}</p>`].map(text => page.includes(text)),
      )
      assert.ok(
        ['[[true,true],[false,false]]', '[[false,false],[true,true]]'].includes(JSON.stringify(shown)),
        `${turns} turns after the change began: ${JSON.stringify(shown)}`,
      )
      seen.add(JSON.stringify(shown))
    }
    assert.equal(seen.size, 2)
  })

  test('an hour, a slide and a claim are on the page that shows them', async () => {
    await publish(otherContent)
    const [home, about, contact] = [await read('/'), await read('/about-us'), await read('/contact')]
    assert.ok(holds(contact, '8:15am–4:45pm'))
    assert.ok(holds(home, differ(slides[2]?.title ?? '')))
    assert.ok(holds(about, differ('95%')))
    assert.ok(holds(home, otherContent.site.company.timeZone))
    // Dates are written out.
    assert.ok(holds(home, '4 March 2019') && !holds(home, '1 July 2026'))
  })

  test('search engines get the agency of the current content', async () => {
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await read('/'))?.[1] ?? ''
    const described = JSON.parse(json)
    assert.equal(described.name, otherContent.site.company.siteName)
    assert.equal(described.telephone, otherContent.site.company.phone)
    assert.equal(described.founder.name, otherContent.site.agent.name)
    assert.equal(described.openingHoursSpecification[0].opens, otherContent.site.officeHours[0]?.opens)
    assert.equal(described.address.postalCode, '3111')
  })

  test('emails are signed by the agent of the current content', async () => {
    await publish(otherContent)
    await testApp.browser().call(enquiries.contact, {
      name: 'Mai Nguyen',
      email: 'mai@visitor.test',
      phone: '+61 400 000 000',
      message: 'What does a partner visa cost?',
    })
    const email = await testApp.mailServer.next(({ subject }) => subject?.includes('Mai Nguyen') ?? false)
    const { company, agent } = otherContent.site
    assert.equal(email.from?.name, company.siteName)
    for (const text of [email.text ?? '', email.html ?? ''])
      assert.ok(text.includes(`${agent.name}, registered migration agent, MARN ${agent.registrationNumber}`))
  })

  test('the dashboard counts the days of the office in the current content', async () => {
    await publish(otherContent)
    assert.equal((await admin.call(dashboard.read, {})).enquiries?.timeZone, 'Australia/Perth')
    await publish(sampleContent)
    assert.equal((await admin.call(dashboard.read, {})).enquiries?.timeZone, 'Australia/Sydney')
  })

  test('each content has a revision of its own, and a page keeps the one that it read', async () => {
    await publish(sampleContent)
    const store = await openContentStore(testApp.services)
    store.close()
    const first = store.read()
    let changes = 0
    store.onChange(async () => void changes++)
    await publish(otherContent)
    await store.refresh()
    await store.refresh()
    assert.equal(store.read().content.agent.name, otherContent.site.agent.name)
    assert.equal(first.content.agent.name, agent.name)
    assert.notEqual(store.read().revision, first.revision)
    assert.equal(changes, 1)
  })
})

/** Whether a page has a text, as HTML or as JSON. */
function holds(page: string, text: string): boolean {
  const html = text.replace(
    /[&<>"']/g,
    each => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[each] ?? '#x27'};`,
  )
  return page.includes(html) || page.includes(JSON.stringify(text))
}
