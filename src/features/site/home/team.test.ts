import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newPath } from '../../../../tests/support/content.ts'
import { openDocumentSite } from '../../../../tests/support/document-site.ts'
import { bodies, changeDocument } from '../../../../tests/support/documents.ts'
import { PUBLIC_URL } from '../../../../tests/support/test-app.ts'
import { findErrors } from '../../../content/bodies.ts'
import { MAX_TEAM } from '../../../content/limits.ts'
import { content } from '../../content-editor/contract.ts'

const person = (id: string, name: string, change: object = {}) => ({
  ...{ id, name, title: 'Registered migration agent', registrationNumber: '7654321' },
  ...{ languages: ['English', 'Mandarin'], introduction: [{ id: 'a', text: `${name} answers first.` }] },
  ...change,
})
/** As the editor makes them: with digits, which are no figures. */
const MEI = '51cd6269-f9f0-491a-9ea9-ebc4d2db17df'
const mei = person(MEI, 'Mei Tan')

suite('The team', async () => {
  const { site, editor, open, read, newVisa, newArticle, describe, publish, changeSite } =
    await openDocumentSite()
  const { services } = site

  async function publishWith(kind: 'visa' | 'article', agent: string) {
    const path = kind === 'visa' ? newVisa() : newArticle()
    const { id } = await publish(editor, kind, { path, title: 'A page' })
    await changeDocument(editor, id, { ...bodies[kind]({ path, title: 'A page' }), agent })
    await services.content.refresh()
    return { id, path }
  }

  test('without anybody beside the first agent, the page leads to About Us, and no menu and no sitemap has it', async () => {
    await changeSite({ team: [], menu: [{ id: 'a', label: 'Who is who', path: '/team' }] })
    const { status, headers } = await open('/team')
    assert.deepEqual([status, headers.get('location')], [302, '/about-us'])
    assert.doesNotMatch(await read('/about-us'), /Who is who|Meet the team/)
    assert.ok(!(await read('/sitemap.xml')).includes('/team'))
    assert.equal((await open('/team', { method: 'POST' })).status, 404)
  })

  test('the page shows everybody in order, the first agent first, with number, languages and words of their own', async () => {
    const ravi = person('ravi', 'Ravi Nair', {
      title: 'Office manager',
      registrationNumber: null,
      languages: [],
    })
    const menu = [{ id: 'a', label: 'Who is who', path: '/team' }]
    await changeSite({ team: [mei, ravi], menu })
    assert.equal((await open('/team')).status, 200)
    const html = await read('/team')
    const names = [...html.matchAll(/<h2><bdi>(.*?)<\/bdi><\/h2>/g)].map(([, name]) => name)
    assert.deepEqual(names, ['Alex Sample', 'Mei Tan', 'Ravi Nair'])
    assert.match(
      html,
      /<li id="person-51cd6269-f9f0-491a-9ea9-ebc4d2db17df">.*?MARN\u00a07654321.*?Languages: English and Mandarin/s,
    )
    assert.doesNotMatch(html.slice(html.indexOf('person-ravi')).split('</li>')[0] ?? '', /MARN|Languages/)
    assert.match(html, /Mei Tan answers first\./)
    assert.equal(html.split('<h1').length, 2)
    assert.match(await read('/about-us'), /href="\/team">Meet the team/)
    assert.match(await read('/'), /href="\/team">Who is who/)
    assert.ok((await read('/sitemap.xml')).includes(`<loc>${PUBLIC_URL}/team</loc>`))
    const [agency] = describe(html)
    assert.deepEqual(agency.employee[1], {
      '@type': 'Person',
      name: 'Mei Tan',
      jobTitle: 'Registered migration agent',
      identifier: { '@type': 'PropertyValue', propertyID: 'MARN', value: '7654321' },
    })
  })

  test('a visa and an article say who advises, with number and a link, and search engines read the author', async () => {
    await changeSite({ team: [mei] })
    const visa = await read((await publishWith('visa', MEI)).path)
    assert.match(
      visa,
      /Who advises on this<\/span><a href="\/team#person-51cd6269-f9f0-491a-9ea9-ebc4d2db17df"><bdi>Mei Tan<\/bdi><\/a>/,
    )
    assert.match(visa, /Mei Tan, Registered migration agent, MARN\u00a07654321\./)
    assert.doesNotMatch(visa.slice(visa.indexOf('<main'), visa.indexOf('</main')), /Alex Sample/)
    const { path } = await publishWith('article', MEI)
    const html = await read(path)
    assert.match(html, /Who wrote this<\/span><a href="\/team#person-51cd6269-f9f0-491a-9ea9-ebc4d2db17df">/)
    assert.doesNotMatch(html, /By Alex Sample/)
    const { author } = describe(html).find(it => it['@type'] === 'Article')
    assert.deepEqual(
      [author.name, author.url],
      ['Mei Tan', `${PUBLIC_URL}/team#person-51cd6269-f9f0-491a-9ea9-ebc4d2db17df`],
    )
    const feed = await read('/news/feed.xml')
    assert.ok(feed.slice(feed.indexOf(path)).includes('<author><name>Mei Tan</name>'))
    assert.match(await read((await publishWith('article', 'principal')).path), /<bdi>Alex Sample<\/bdi>/)
  })

  test('somebody without a number wrote an article, and is not named as who advises on a visa (found F4)', async () => {
    await changeSite({ team: [person('ravi', 'Ravi Nair', { title: 'Manager', registrationNumber: null })] })
    const visa = await read((await publishWith('visa', 'ravi')).path)
    assert.doesNotMatch(visa, /Ravi Nair|Who advises/)
    assert.match(await read((await publishWith('article', 'ravi')).path), /<bdi>Ravi Nair<\/bdi>/)
  })

  test('somebody who was removed leaves no dead reference, and is named before either page is published', async () => {
    await changeSite({ team: [mei] })
    const [visa, article] = [await publishWith('visa', MEI), await publishWith('article', MEI)]
    const { people } = (await editor.call(content.open, { id: visa.id })).claims
    const known = people.find(({ id }) => id === MEI)
    assert.ok(known && known.pages.length >= 2)
    await changeSite({ team: [] })
    for (const { path } of [visa, article]) {
      const html = await read(path)
      assert.doesNotMatch(html, /Mei Tan|person-51cd6269-f9f0-491a-9ea9-ebc4d2db17df|\/team/)
      assert.match(html, /Alex Sample/)
    }
    await changeDocument(editor, visa.id, {
      ...bodies.visa({ path: visa.path, title: 'Again' }),
      agent: MEI,
    })
    assert.ok(!(await editor.call(content.open, { id: visa.id })).claims.people.some(({ id }) => id === MEI))
  })

  test('names of any length and direction, and people without anything, do not break the page', async () => {
    const hostile = '<b>"&</b>'
    const long = `${'Wilhelmina'.repeat(12)} ${'de la '.repeat(20)}Vega`
    await changeSite({
      team: [
        person('long', long, { registrationNumber: '1111111' }),
        person('arabic', 'محمد الأحمد', {
          registrationNumber: null,
          title: null,
          languages: [],
          introduction: [],
        }),
        person('markup', hostile, {
          registrationNumber: '2222222',
          languages: [hostile],
          introduction: [{ id: 'a', text: hostile }],
        }),
        person('emoji', '👩‍⚖️ 𠮷田', { registrationNumber: null, title: hostile }),
      ],
    })
    const html = await read('/team')
    assert.ok(html.includes(long) && html.includes('محمد') && !html.includes('<b>'))
    assert.match(html, /site-frame-initials" aria-hidden="true">WV</)
    assert.doesNotMatch(html, /\ufffd|[\ud800-\udbff](?![\udc00-\udfff])/u)
  })

  test('a team of sixty is shown, and one more, equal ids or the id of the first agent are refused', async () => {
    const team = Array.from({ length: MAX_TEAM }, (_, at) =>
      person(`p${at}`, 'Mei Tan', { registrationNumber: String(1_000_000 + at) }),
    )
    await changeSite({ team })
    const html = await read('/team')
    assert.equal(html.split('<li id="person-').length, MAX_TEAM + 2)
    const { site: body } = services.content.read()
    const errors = (people: readonly object[]) => Object.keys(findErrors('site', { ...body, team: people }))
    assert.deepEqual(errors(team), [])
    assert.deepEqual(errors([...team, person('more', 'More')]), ['team'])
    assert.deepEqual(errors([mei, mei]), ['team'])
    assert.deepEqual(errors([person('principal', 'Nobody')]), ['team'])
    assert.deepEqual(errors([{ ...mei, registrationNumber: '123' }]), ['team.0.registrationNumber'])
    await changeSite({ team: [] })
  })

  test('a page that had the address before the product took it keeps it and can be published', async () => {
    const { id } = await publish(editor, 'page', { path: newPath(), title: 'Our own people' })
    const { db } = services
    await db.updateTable('content_documents').set({ path: '/team' }).where('id', '=', id).execute()
    await changeDocument(editor, id, bodies.page({ path: '/team', title: 'Our own people' }))
    await changeSite({ team: [mei] })
    assert.match(await read('/team'), /Our own people/)
    assert.equal((await read('/sitemap.xml')).split('/team<').length, 2)
    const other = await editor.send('POST', '/api/content', { kind: 'page', path: '/team', title: 'Another' })
    assert.equal(other.status, 409)
    await editor.call(content.unpublish, { id })
    await services.content.refresh()
    assert.match(await read('/team'), /Mei Tan/)
    await changeSite({ team: [] })
  })
})
