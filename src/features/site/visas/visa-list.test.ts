import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openDocumentSite } from '../../../../tests/support/document-site.ts'
import { changeDocument } from '../../../../tests/support/documents.ts'
import { content } from '../../content-editor/contract.ts'

suite('The list of visas', async () => {
  const { site, editor, read, newVisa, publish, changeSite } = await openDocumentSite()
  const visasOf = () => site.services.content.read().site.visaCategories
  /** The addresses of the visas that a page lists, in order, each once. */
  const listed = async (path: string, ...of: readonly string[]) =>
    [
      ...new Set([...(await read(path)).matchAll(/href="(\/visas\/[^"]+)"/g)].map(([, href = '']) => href)),
    ].filter(href => of.includes(href))

  test('a published visa is on the home page, at /visas and in the finder without another step (found E9)', async () => {
    const { path } = await publish(editor, 'visa', {
      path: newVisa(),
      title: 'Working holiday',
      numbers: ['417'],
    })
    assert.match(await read('/'), new RegExp(`<a class="site-visa-link" href="${path}">Working holiday</a>`))
    assert.ok((await read('/visas')).includes(`<a href="${path}">Working holiday</a>`))
    const answer = { id: 'all', label: 'going', visas: ['417'], leftOut: [] }
    await changeSite({ finderQuestions: [{ id: 'plan', before: 'I am', answers: [answer], after: '.' }] })
    assert.match(await read('/'), new RegExp(`class="[^"]*site-sheet-visa" href="${path}"><span [^>]*>417`))
    await changeSite({ finderQuestions: [] })
  })

  test('one order holds wherever visas are listed, and a visa can be left out of the home page (found E9)', async () => {
    const [first, second] = [
      await publish(editor, 'visa', { path: newVisa(), title: 'B first', numbers: ['500'] }),
      await publish(editor, 'visa', { path: newVisa(), title: 'A second', numbers: ['485'] }),
    ]
    const paths = [first.path, second.path]
    assert.deepEqual(
      await listed('/visas', ...paths),
      paths.toReversed(),
      'by title while the list names neither',
    )
    const before = visasOf()
    const page = ({ path }: typeof first, isOnHome = true) => ({
      id: path.slice(-8),
      kind: 'page',
      path,
      isOnHome,
    })
    await changeSite({ visaCategories: [page(first), ...before, page(second)] })
    for (const path of ['/', '/visas']) assert.deepEqual(await listed(path, ...paths), paths, path)
    await changeSite({ visaCategories: [page(first, false), ...before, page(second)] })
    assert.deepEqual(await listed('/', ...paths), [second.path])
    assert.deepEqual(await listed('/visas', ...paths), paths)
    await changeSite({ visaCategories: before })
  })

  test('a visa has one source: its page takes the place of a description, keeps it at another address, and has words for cards (found E9)', async () => {
    const described = visasOf().find(visa => visa.kind === 'described' && visa.title === 'Skills in demand')
    assert.ok((await read('/')).includes('Skills in demand'))
    const { id, path } = await publish(editor, 'visa', {
      path: newVisa(),
      title: 'Sponsored',
      numbers: ['482'],
    })
    const home = await read('/')
    assert.equal(home.split(`class="site-visa-link" href="${path}"`).length, 2)
    assert.doesNotMatch(home, /<h3><a class="site-visa-link"[^>]*>Skills in demand/)
    const visaCategories = visasOf().map(visa =>
      visa.id === described?.id ? { id: visa.id, kind: 'page', path, isOnHome: true } : visa,
    )
    await changeSite({ visaCategories })
    const moved = newVisa()
    const { draft } = await editor.call(content.open, { id })
    const words = { cardTitle: 'Work for a sponsor', cardText: 'An employer asks for you.' }
    await changeDocument(editor, id, { ...draft.body, ...words, path: moved })
    await site.services.content.refresh()
    assert.match(
      await read('/'),
      new RegExp(
        `href="${moved}">Work for a sponsor</a>.*?<p class="[^"]*site-visa-sentence">An employer asks for you.`,
      ),
    )
  })
})
