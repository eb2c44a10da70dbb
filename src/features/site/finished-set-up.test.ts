import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openAcknowledgingApp } from '../../../tests/support/acknowledging-app.ts'
import { publishSite } from '../../../tests/support/content.ts'
import { openSite } from '../../../tests/support/site.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { SiteBody } from '../../content/site-body.ts'
import { minutes } from '../../platform/clock.ts'
import { samplePages } from '../../sample/pages.server.ts'
import { sampleContent } from '../../sample/site.server.ts'
import { forgotPasswordPath } from '../../screens.ts'
import { content } from '../content-editor/contract.ts'
import { samples } from '../content-editor/samples/contract.ts'
import { SEND_TEXTS_PATH } from '../enquiry-form/form-texts.ts'
import { messages } from '../inbox/contract.ts'
import { conversation } from '../inbox/conversation/contract.ts'
import { passwordLink } from '../password-link/contract.ts'
import { settings } from '../settings/contract.ts'
import { signIn } from '../sign-in/contract.ts'
import { users } from '../users/contract.ts'
import { FEED_PATH } from './feed.server.ts'

const { agent, company, testimonials, claims } = sampleContent.site

/** What only the sample says: a word of it anywhere means that somebody reads of an agency that does not exist. */
const MARKERS = [
  ...[company.siteName, company.legalName, company.abn, company.phone, company.email, company.chat?.handle],
  ...company.address.filter(line => line !== 'Australia'),
  ...[agent.name, agent.registrationNumber, agent.title, agent.heading],
  ...[...agent.introduction, ...agent.founderProfile].map(({ text }) => text),
  ...testimonials.flatMap(({ quote, name }) => [quote, name]),
  ...claims.flatMap(claim => (claim.kind === 'own' ? [claim.value, claim.note] : [])),
  ...['Alex', 'Mandarin', 'landfall.example', 'Sydney time', 'AUD 0', '-33.86'],
].filter(text => typeof text === 'string')

const OWN = 'Southern Keel'
const person = { name: 'Sam Lee', title: 'Client support', registrationNumber: null, languages: ['Korean'] }

suite('An https site whose set-up is finished', async () => {
  const config = { publicUrl: 'https://agency.test' }
  const shown = { hidesSamples: true }
  const opened = await openAcknowledgingApp(config, { samples: samplePages, ...shown })
  const { testApp, enquire, settle } = opened
  const site = await openSite(testApp, shown)
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  // As an owner does it: one press on *Remove all*, then what is her own.
  assert.deepEqual((await admin.call(samples.remove, {})).refused, [])
  const { documents } = await admin.call(content.list, { kind: 'site' })
  const { draft } = await admin.call(content.open, { id: documents[0]?.id ?? '' })
  const body = SiteBody.parse(draft.body)
  const own = {
    ...body,
    company: {
      ...body.company,
      ...{ siteName: OWN, legalName: `${OWN} Pty Ltd`, abn: '51 824 753 556', phone: '+61 8 5550 1234' },
      ...{ address: ['1 High Street', 'Fremantle WA 6160'], email: 'desk@keel.test' },
      ...{ location: { latitude: -32.06, longitude: 115.75 }, timeZone: 'Australia/Perth' },
    },
    agent: {
      ...body.agent,
      ...{ name: 'Mei Tanaka', registrationNumber: '1234567', title: 'Registered migration agent' },
      ...{ introduction: [{ id: 'own-1', text: 'Mei reads each message.' }], languages: ['Japanese'] },
    },
    team: [{ id: 'sam', ...person, introduction: [{ id: 'sam-1', text: 'Sam keeps the papers in order.' }] }],
    officeHours: [
      { id: 'own', days: ['Monday' as const], opens: '08:00', closes: '15:00', byAppointment: false },
    ],
  }
  await publishSite(testApp, admin, { site: SiteBody.parse(own), facts: [] })
  await site.services.content.refresh()

  const found = (text: string) => {
    const plain = text.replaceAll('\u00a0', ' ').replaceAll('&#x27;', '’').toLowerCase()
    return MARKERS.filter(words => plain.includes(words.toLowerCase()))
  }
  const read = async (path: string) => {
    const reply = await fetch(`${site.url}${path}`)
    return { text: await reply.text(), status: reply.status }
  }

  test('nobody reads a word of the sample on any page, in what is shared, feeds, maps of the site, or errors', async () => {
    const sitemap = (await read('/sitemap.xml')).text
    const paths = [...sitemap.matchAll(/<loc>https:\/\/agency\.test(.*?)<\/loc>/g)].map(
      ([, path = '']) => path,
    )
    for (const path of ['/', '/about-us', '/team', '/contact', '/visas', '/news', '/fees'])
      assert.ok(paths.includes(path), path)
    assert.ok(paths.filter(path => path.startsWith('/news/')).length > 1, 'articles')
    const files = [FEED_PATH, '/sitemap.xml', '/robots.txt', '/site.webmanifest', SEND_TEXTS_PATH]
    const variants = ['/contact?form=visa-assessment', '/auth', '/dashboard', forgotPasswordPath]
    for (const path of [...paths, ...files, ...variants]) {
      const { text, status } = await read(path)
      assert.equal(status, 200, path)
      assert.deepEqual(found(text), [], path)
      if (!paths.includes(path)) continue
      assert.ok(text.includes(OWN), `${path} is of the agency`)
      for (const name of ['og:title', 'og:description', 'og:image:alt', 'twitter:image:alt'])
        assert.match(text, new RegExp(`="${name}" content="[^"]+"`), path)
    }
    const missing = await read('/no-such-page')
    assert.deepEqual([missing.status, found(missing.text)], [404, []])
    const refused = await fetch(`${site.url}/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://agency.test' },
      body: 'name=x',
    })
    const page = await refused.text()
    assert.ok(refused.status >= 400 && page.includes('<'), `${refused.status}`)
    assert.deepEqual(found(page), [])
    assert.match((await read('/team')).text, /Sam Lee/)
  })

  test('nobody reads a word of the sample in an email: to visitors, to staff, or about accounts', async () => {
    const { id } = await enquire()
    const colleague = await createStaff(testApp, 'editor')
    await testApp.services.db
      .updateTable('users')
      .set({ inbox: 'answer' })
      .where('id', '=', colleague.id)
      .execute()
    const { reply } = await admin.call(conversation.reply, { id, body: 'We can help.', lastSeq: 0 })
    await admin.call(conversation.sendConsumerGuide, { id, lastSeq: reply.seq })
    await admin.call(messages.forward, { id, to: colleague.id })
    await testApp.browser().send('POST', signIn.login.path, {
      ...{ email: colleague.email, password: STAFF_PASSWORD, recaptchaToken: opened.newToken() },
    })
    const recaptchaToken = opened.newToken()
    await testApp.browser().call(passwordLink.request, { email: colleague.email, recaptchaToken })
    const invited = { name: 'New Person', email: 'new@keel.test', role: 'viewer', inbox: 'none' } as const
    await admin.call(users.create, { ...invited })
    await admin.call(settings.testEmail, {})
    testApp.wait(minutes(1))
    await settle()
    const { emails } = testApp.mailServer
    const subjects = emails.map(({ subject }) => subject ?? '')
    for (const kind of [
      ...[/We have received/, /^Re: Your enquiry/, /^Fwd: /, /sign-in code/, /password/i, /test/i],
    ])
      assert.ok(
        subjects.some(subject => kind.test(subject)),
        `${kind} of ${subjects.join('\n')}`,
      )
    for (const { subject, text, html, raw } of emails) {
      const all = [subject, text, html, /^From: .*$/m.exec(raw ?? '')?.[0]].join('\n')
      assert.deepEqual(found(all), [], subject ?? '')
      assert.ok(all.includes(OWN), subject ?? '')
    }
  })
})
