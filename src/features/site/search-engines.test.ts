import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { changeDetails, publishSite } from '../../../tests/support/content.ts'
import { bodies, changeDocument } from '../../../tests/support/documents.ts'
import { openSite } from '../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { storePicture } from '../../../tests/support/stored-picture.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { sampleContent } from '../../sample/site.server.ts'
import { menuScreens, signInDocumentPaths } from '../../screens.ts'
import { content } from '../content-editor/contract.ts'

suite('Metadata for search engines, messengers and phones', async () => {
  const testApp = await openTestApp()
  const { url } = await openSite(testApp)
  const read = async (path: string) => await (await fetch(`${url}${path}`)).text()
  const publicPaths = ['/', '/about-us', '/contact', '/visas']

  test('each page has a title and a description of its own', async () => {
    const heads = await Promise.all(publicPaths.map(async path => readHead(await read(path))))
    for (const name of ['title', 'description', 'og:title', 'og:description', 'og:url']) {
      assert.equal(new Set(heads.map(head => head.get(name) ?? '')).size, publicPaths.length, name)
    }
  })

  for (const path of publicPaths) {
    test(`${path} has a canonical URL and a picture`, async () => {
      const html = await read(path)
      const head = readHead(html)
      const address = `${PUBLIC_URL}${path}`
      assert.match(html, /^<!doctype html><html lang="en-AU">/)
      assert.equal(head.get('canonical'), address)
      assert.equal(head.get('og:url'), address)
      assert.equal(head.get('og:title'), head.get('title'))
      assert.equal(head.get('og:description'), head.get('description'))
      assert.equal(head.get('og:site_name'), 'Landfall Migration')
      assert.equal(head.get('twitter:card'), 'summary_large_image')
      assert.equal(head.get('twitter:image'), head.get('og:image'))
      assert.equal(head.get('robots'), undefined)
    })
  }

  test('the shared picture is 1200 by 630 pixels and may be embedded by other sites', async () => {
    const image = new URL(readHead(await read('/')).get('og:image') ?? '')
    assert.equal(image.origin, PUBLIC_URL)
    assert.deepEqual(await readPicture(`${url}${image.pathname}`), { width: 1200, height: 630 })
    const { headers } = await fetch(`${url}${image.pathname}`)
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
  })

  test('the shared picture is described with what the first slide says now (found V15)', async () => {
    const described = async () => readHead(await read('/')).get('og:image:alt')
    assert.equal(await described(), 'Landfall Migration: Australian Immigration Specialists')
    const { site, facts } = sampleContent
    const [first, ...others] = site.slides
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    assert.ok(first)
    const slides = [{ ...first, title: 'Visas, in plain words' }, ...others]
    await publishSite(testApp, admin, { facts, site: { ...site, slides } })
    await until(async () => (await described()) === 'Landfall Migration: Visas, in plain words')
  })

  test('search engines and networks read the title and the picture that a page has for them, and those of the site elsewhere', async () => {
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const stored = await storePicture(testApp.services, 10)
    const use = { picture: stored.id, width: 64, height: 48, alt: 'Our office', decoration: false, focus: 13 }
    const path = '/what-we-charge'
    const { document } = await admin.call(content.create, { kind: 'page', path, title: 'Fees' })
    await changeDocument(admin, document.id, {
      ...bodies.page({ path, title: 'Fees' }),
      searchTitle: 'What <we> charge',
    })
    await until(async () =>
      (await read(path)).includes('<title>What &lt;we&gt; charge | Landfall Migration</title>'),
    )
    assert.match(await read(path), /<h1>Fees<\/h1>/)
    assert.equal(readHead(await read(path)).get('og:image'), 'https://agency.test/share.png')
    const home = { title: 'Visas in Fremantle', description: 'Ask us.' }
    const { site, facts } = sampleContent
    await publishSite(testApp, admin, { facts, site: { ...site, home, socialPicture: use } })
    await until(
      async () => readHead(await read('/')).get('og:title') === 'Landfall Migration: Visas in Fremantle',
    )
    for (const page of ['/', path, '/contact'])
      assert.equal(readHead(await read(page)).get('og:image:alt'), 'Our office', page)
    await changeDocument(admin, document.id, {
      ...bodies.page({ path, title: 'Fees' }),
      socialPicture: { ...use, alt: 'A form' },
    })
    await until(async () => readHead(await read(path)).get('og:image:alt') === 'A form')
    await admin.call(content.unpublish, { id: document.id })
    await until(async () => !(await read('/sitemap.xml')).includes(path))
  })

  test('the home and the contact page describe the agency', async () => {
    const [home, contact] = await Promise.all([readAgency('/'), readAgency('/contact')])
    assert.deepEqual(home, contact)
    assert.equal(home['@type'], 'LegalService')
    assert.equal(home.name, 'Landfall Migration')
    assert.equal(home.telephone, '+61 2 5550 0000')
    assert.deepEqual(home.address, {
      '@type': 'PostalAddress',
      streetAddress: 'Level 0, 000 Sample Street',
      addressLocality: 'Sydney',
      addressRegion: 'NSW',
      postalCode: '2000',
      addressCountry: 'AU',
    })
    const [week] = home.openingHoursSpecification
    assert.equal(week.dayOfWeek.length, 5)
    assert.equal(`${week.opens}–${week.closes}`, '09:00–18:00')
    assert.equal(home.founder.identifier.propertyID, 'MARN')
    assert.match(home.founder.identifier.value, /^\d{7}$/)
    assert.ok(!(await read('/about-us')).includes('ld+json'))
  })

  async function readAgency(path: string) {
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await read(path))?.[1] ?? ''
    return JSON.parse(json)
  }

  test('pages that are not public are not indexed', async () => {
    for (const path of ['/no-such-page', '/auth', '/dashboard']) {
      const head = readHead(await read(path))
      assert.equal(head.get('robots'), 'noindex', path)
      assert.equal(head.get('canonical'), undefined, path)
      assert.equal(head.get('og:url'), undefined, path)
    }
  })

  test('the sitemap lists every public page, and robots.txt excludes the staff pages', async () => {
    const addresses = [...(await read('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc)
    assert.deepEqual(
      addresses,
      publicPaths.map(path => `${PUBLIC_URL}${path}`),
    )
    const robots = (await read('/robots.txt')).split('\n')
    assert.ok(robots.includes(`Sitemap: ${PUBLIC_URL}/sitemap.xml`))
    const closed = robots.flatMap(line => /^Disallow: (.*)$/.exec(line)?.[1] ?? [])
    assert.deepEqual(closed, ['/api/', ...signInDocumentPaths, ...menuScreens.map(({ path }) => path)])
    const isOpen = (path: string) => !closed.some(prefix => path.startsWith(prefix))
    assert.ok(publicPaths.every(isOpen))
  })

  test('icons have their declared sizes', async () => {
    const html = await read('/')
    assert.deepEqual(await readPicture(`${url}/apple-touch-icon.png`), { width: 180, height: 180 })
    // The page embeds the SVG icon; it is also available as a file.
    const [, embedded = ''] = /href="data:image\/svg\+xml,([^"]*)"/.exec(html) ?? []
    assert.equal(decodeURIComponent(embedded).replaceAll('&#x27;', "'"), (await read('/favicon.svg')).trim())
    for (const path of ['/favicon.ico', '/apple-touch-icon.png']) {
      assert.ok(html.includes(`href="${path}"`), path)
      assert.equal((await fetch(`${url}${path}`)).status, 200, path)
    }
    const manifest = await (await fetch(`${url}/site.webmanifest`)).json()
    for (const { src, sizes } of manifest.icons) {
      const { width, height } = await readPicture(`${url}${src}`)
      assert.equal(`${width}x${height}`, sizes)
    }
  })

  test('any site name is escaped in the metadata', async () => {
    const name = '</script><script>alert("1 & 2")</script>'
    await changeDetails(testApp, { site_name: name })
    await until(async () => (await readAgency('/').catch(() => ({}))).name === name)
    assert.ok(!(await read('/')).includes('<script>alert'))
    assert.equal((await (await fetch(`${url}/site.webmanifest`)).json()).name, name)
  })
})

/** Title, canonical address and the meta tags by their names. */
function readHead(html: string): Map<string, string> {
  const head = new Map<string, string>()
  for (const [, name = '', text = ''] of html.matchAll(
    /<meta (?:name|property)="([^"]+)" content="([^"]*)"/g,
  )) {
    head.set(name, text)
  }
  const canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1]
  if (canonical) head.set('canonical', canonical)
  return head.set('title', /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '')
}

/** Pixels, as the first chunk of a PNG says. */
async function readPicture(url: string): Promise<{ width: number; height: number }> {
  const response = await fetch(url)
  assert.equal(response.headers.get('content-type'), 'image/png', url)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}
