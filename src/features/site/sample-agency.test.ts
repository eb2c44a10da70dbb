import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, overridesFor, pageBody } from '../../../tests/support/content.ts'
import { changeDocument } from '../../../tests/support/documents.ts'
import { openSite } from '../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { visitor } from '../../../tests/support/test-app-with-captcha.ts'
import { samplePages } from '../../sample/pages.server.ts'
import { sampleContent } from '../../sample/site.server.ts'
import { content } from '../content-editor/contract.ts'
import { samples as removable } from '../content-editor/samples/contract.ts'
import { samples } from '../dashboard/contract-samples.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { settings } from '../settings/contract.ts'
import { FEED_PATH } from './feed.server.ts'

/** What nobody has confirmed, in the words of a new installation. */
const SAMPLES = [
  ...[
    'Alex',
    '0000000',
    'registered migration agent',
    '>registered agent<',
    'Principal migration agent',
    'Mandarin',
    'One person, from the first',
  ],
  ...[
    'Landfall Migration',
    'from July 2026',
    'Pty Ltd',
    '00 000 000 000',
    'Sample Street',
    '5550 0000',
    'landfall.example',
    'landfall-sample',
  ],
  ...[
    '9am',
    'Saturday: 10am',
    'We aim to answer',
    'Sydney time',
    'AUD 0',
    'Openstreetmap.org/?mlat',
    '09:00',
  ],
]

suite('A new installation', async () => {
  const open = async (publicUrl: string) => {
    const options = { samples: samplePages, hidesSamples: publicUrl.startsWith('https') }
    const testApp = await openTestApp({ publicUrl }, options)
    const site = await openSite(testApp, { hidesSamples: options.hidesSamples })
    return { testApp, site, read: async (path: string) => await (await fetch(`${site.url}${path}`)).text() }
  }
  const { testApp, site, read } = await open('https://agency.test')
  const trial = await open('http://agency.test')
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const pathsOf = async () =>
    [...(await read('/sitemap.xml')).matchAll(/<loc>https:\/\/agency\.test(.*?)<\/loc>/g)].map(
      ([, path = '']) => path,
    )
  const found = (text: string) =>
    SAMPLES.filter(words => text.replaceAll('\u00a0', ' ').toLowerCase().includes(words.toLowerCase()))

  test('at https shows no agent, number, fee, address, telephone, hours, languages or story of the sample on any page (found V4)', async () => {
    const paths = await pathsOf()
    assert.ok(paths.length > 25, `${paths.length} pages`)
    for (const path of [...paths, '/no-such-page', FEED_PATH, '/sitemap.xml', '/site.webmanifest'])
      assert.deepEqual(found(await read(path)), [], path)
  })

  test('at https leaves nothing empty behind, such as a heading without a text or a link without an address (found V4)', async () => {
    for (const path of await pathsOf()) {
      const html = await read(path)
      assert.doesNotMatch(
        html,
        /href="(tel|mailto):"|<(p|li|dd|dt|dl|ul|tbody|address|h[1-3])( [^>]*)?><\/\3>/,
        path,
      )
      assert.deepEqual(html.match(/.{80}>(null|undefined)<.{30}/g) ?? [], [], path)
      assert.match(html, /<h1[ >]/, path)
    }
  })

  test('at https shows no starter text of an earlier version that speaks of the sample agency (found V4)', async () => {
    const path = newPath()
    const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
    const run = (text: string, href?: string) => ({
      type: 'text',
      text,
      ...(href && { marks: [{ type: 'link', attrs: { href } }] }),
    })
    const mail = 'hello@landfall.example'
    const content = [
      paragraph(run('All our fees are in Australian dollars and include GST. They apply from July 2026.')),
      paragraph(
        run(
          'A registered migration agent reads your message, and answers in writing during our office hours.',
        ),
      ),
      paragraph(run('Write to '), run(mail, `mailto:${mail}`), run(' with your reference number.')),
      paragraph(
        run('You can write at any hour. We answer in our office hours, Sydney time. They are on the '),
        run('contact page', '/contact'),
        run('.'),
      ),
    ]
    const blocks = [{ id: 'text-1', type: 'text', text: { type: 'doc', content } }]
    const { id } = await addPage(admin, { path })
    await changeDocument(admin, id, { ...pageBody(path), blocks })
    await site.services.content.refresh()
    const html = await read(path)
    assert.deepEqual(found(html), [])
    assert.match(
      html,
      /include GST\.<.*We read your message.*Write to <a href="\/contact">us with the form<.*See the <a/s,
    )
  })

  test('at http shows all of it, so that a trial looks whole (found V4)', async () => {
    const pages = await Promise.all(['/', '/about-us', '/fees'].map(trial.read))
    const html = pages.join('').replaceAll('\u00a0', ' ')
    for (const words of ['Alex Sample', 'MARN 0000000', 'Sample Street', 'Mandarin', 'AUD 0,000'])
      assert.ok(html.includes(words), words)
    assert.doesNotMatch(html, /noindex/)
  })

  test('shows staff above the page what is missing, each with its place, and strangers nothing of it (found V4)', async () => {
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    const { missing } = await viewer.call(samples.list, {})
    const labels = missing.map(({ label }) => label)
    for (const label of [
      'Registration number (MARN)',
      'ABN',
      'Phone',
      'Office hours',
      'Languages',
      'Second opinion',
    ])
      assert.ok(labels.includes(label), label)
    assert.ok(missing.every(({ href }) => /^\/content\/[\w-]+\?field=/.test(href)))
    assert.equal((await testApp.browser().fetch('/api/dashboard/samples')).status, 401)
    const elsewhere = await signInAs(trial.testApp, (await createStaff(trial.testApp, 'viewer')).email)
    assert.deepEqual((await elsewhere.call(samples.list, {})).missing, [])
  })

  test('writes no email that names the agent of the sample, and promises no time (found V4)', async () => {
    await testApp.browser().call(enquiries.contact, visitor)
    const emails = await testApp.services.db.selectFrom('outbox').select('email').execute()
    assert.ok(emails.length > 0)
    // An email has a sender, whose name is a setting.
    const isNamed = (words: string) => words === 'Landfall Migration'
    for (const { email } of emails)
      assert.deepEqual(
        found(String(email)).filter(words => !isNamed(words)),
        [],
      )
  })

  test('is kept out of search engines until agent and number are its own, and then shows what was entered (found V4)', async () => {
    assert.match(await read('/'), /<meta name="robots" content="noindex"\/>/)
    const { documents } = await admin.call(content.list, { kind: 'site' })
    const id = documents[0]?.id ?? ''
    const change = async (edit: (body: string) => string) => {
      const { draft } = await admin.call(content.open, { id })
      const body = JSON.parse(edit(JSON.stringify(draft.body)))
      const { revision } = await admin.call(content.saveDraft, { id, body, revision: draft.revision })
      // The story of another person stays hidden, whatever is said of it.
      const overrides = overridesFor(body).filter(({ rule }) => rule === 'other-agent')
      const reply = await admin.send('POST', `/api/content/${id}/publish`, { revision, overrides })
      assert.equal(reply.status, 200, await reply.text())
      await site.services.content.refresh()
    }
    await change(body => body.replace('"registrationNumber":"0000000"', '"registrationNumber":"1234567"'))
    const numbered = await read('/')
    assert.match(numbered, /noindex/)
    assert.deepEqual(found(numbered), [])
    await change(body => body.replace('"name":"Alex Sample"', '"name":"Mei Tan"'))
    const complete = await read('/')
    assert.doesNotMatch(complete, /noindex/)
    assert.match(complete, /Registered agent/)
    assert.match(complete, /Mei Tan, MARN\u00a01234567/)
    assert.deepEqual(found(complete), ['registered migration agent', '>registered agent<'])
    const about = await read('/about-us')
    assert.doesNotMatch(about, /Alex|Why this office exists/, 'the story is that of another person')
  })

  test('is kept out of search engines while nobody is named, and signs nothing once its samples are removed (found E3)', async () => {
    const { testApp, site, read } = await open('https://agency.test')
    const owner = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    assert.deepEqual((await owner.call(removable.remove, {})).refused, [])
    await site.services.content.refresh()
    const [home, news] = [await read('/'), await read('/news/english-test-dates')]
    assert.match(home, /<meta name="robots" content="noindex"\/>/)
    for (const html of [home, news]) assert.deepEqual(found(html), [])
    assert.doesNotMatch(news, /"@type":"Person"/)
  })

  test('at https shows the telephone of the sample nowhere, also once it is saved as a setting and the document has another one (found V4)', async () => {
    const publicSite = await open('https://agency.test')
    const { call, send } = await signInAs(
      publicSite.testApp,
      (await createStaff(publicSite.testApp, 'admin')).email,
    )
    const save = async (value: string) => {
      await call(settings.change, { key: 'contact_phone', value })
      await publicSite.site.services.content.refresh()
    }
    const readAll = async () =>
      (await Promise.all(['/', '/contact', '/about-us'].map(publicSite.read))).join('')
    await save(String(sampleContent.site.company.phone))
    assert.deepEqual(found(await readAll()), [])
    const id = (await call(content.list, { kind: 'site' })).documents[0]?.id ?? ''
    const { draft } = await call(content.open, { id })
    const edited = JSON.stringify(draft.body).replace(
      `"phone":"${sampleContent.site.company.phone}"`,
      '"phone":"+61 8 9331 0000"',
    )
    const { revision } = await call(content.saveDraft, {
      id,
      body: JSON.parse(edited),
      revision: draft.revision,
    })
    assert.equal((await send('POST', `/api/content/${id}/publish`, { revision })).status, 200)
    await publicSite.site.services.content.refresh()
    const html = await readAll()
    assert.deepEqual(found(html), [])
    assert.ok(html.includes('tel:+61893310000'), 'the number of the document')
    await save('+61 8 9331 1111')
    assert.ok((await readAll()).includes('tel:+61893311111'), 'the number of the setting')
  })
})
