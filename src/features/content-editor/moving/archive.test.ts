import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { newPath, pageBody } from '../../../../tests/support/content.ts'
import { drawPng } from '../../../../tests/support/pictures.ts'
import { openPublishing } from '../../../../tests/support/publishing.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { newPictureUse } from '../../../content/picture-use.ts'
import { createArchive, openArchive, UnreadableFile } from '../../../platform/zip.ts'
import { pictures } from '../../pictures/contract.ts'
import { content } from '../contract.ts'
import { redirects } from '../redirects/contract.ts'
import { exportArchive, readArchive } from './archive.ts'
import { importRedirects, keepOnce, planArchive } from './archive-works.ts'
import { moving, type Taken } from './contract.ts'
import { createPatience, runImport } from './import-run.ts'
import type { ReportLine } from './report.ts'

const signal = new AbortController().signal

suite('Archive of all content', async () => {
  const from = await openPublishing()
  const to = await openPublishing()
  const site = await openSite(from.testApp)
  const cookie = [...from.editor.cookies].map(pair => pair.join('=')).join('; ')

  async function fetchPicture(address: string) {
    const reply = await fetch(`${site.url}${address}`, { headers: { cookie } })
    return reply.ok ? new Uint8Array(await reply.arrayBuffer()) : null
  }
  const exportFrom = async ({ editor } = from) =>
    await exportArchive({ call: editor.call, fetchPicture, onProgress: () => {}, signal })

  async function importInto({ editor }: typeof to, file: Blob, taken: Taken = 'skip') {
    const opened = await readArchive(file)
    const plan = await planArchive(opened, taken, editor.call)
    const lines: ReportLine[] = [...plan.lines]
    await runImport({
      works: plan.works({
        keepPicture: async (id, bytes) => (await editor.call(pictures.keep, { id, bytes })).picture,
        keepLogo: keepOnce(
          editor === from.editor ? fetchPicture : async () => null,
          async logo => (await editor.call(pictures.uploadLogo, { bytes: logo })).picture,
        ),
      }),
      send: input => editor.call(moving.import, input),
      ...{ taken, signal, patience: createPatience(signal, () => {}) },
      onProgress: () => {},
      onLines: more => void lines.push(...more),
    })
    const all = opened.manifest.redirects
    lines.push(...(await importRedirects(all, some => editor.call(redirects.add, { redirects: some }))))
    return { opened, plan, lines }
  }
  /** The drafts of an installation by their paths. */
  async function draftsOf({ editor }: typeof to) {
    const { documents } = await editor.call(content.list, { limit: 200 })
    const opened = await Promise.all(documents.map(({ id }) => editor.call(content.open, { id })))
    return new Map(opened.map(({ document, draft }) => [document.path, draft.body]))
  }

  const bytes = new Uint8Array(drawPng(64, 48, 0))
  const { picture } = await from.editor.call(pictures.upload, { bytes })
  const block = {
    id: 'p',
    type: 'picture',
    picture: { ...newPictureUse(picture), alt: 'A boat' },
    caption: null,
  }
  const path = newPath()
  const body = { ...pageBody(path), blocks: [...pageBody(path).blocks, block] }
  const { document } = await from.editor.call(content.create, { kind: 'page', path, title: 'x' })
  await from.editor.call(content.saveDraft, { id: document.id, body, revision: 1 })
  await from.publish(document.id)
  await from.editor.call(redirects.add, {
    redirects: [
      { from: '/former', to: path },
      { from: '/ask', to: '/contact' },
    ],
  })

  test('what is exported and imported elsewhere is the same, with its pictures under their ids, and nothing is live', async () => {
    const { file, documents, missing } = await exportFrom()
    assert.ok(documents >= 2)
    assert.deepEqual(missing, [])
    const { lines } = await importInto(to, file, 'replace')
    assert.deepEqual(await draftsOf(to), await draftsOf(from))
    assert.deepEqual(
      lines.filter(({ kind }) => kind === 'changed'),
      [],
    )
    const { pictures: stored } = await to.editor.call(pictures.list, {})
    assert.deepEqual(
      stored.map(({ id, width, height }) => [id, width, height]),
      [[picture.id, 64, 48]],
    )
    assert.equal(to.titleAt(path), undefined)
    const { redirects: old } = await to.editor.call(redirects.list, {})
    assert.deepEqual(
      old.map(each => [each.from, each.to]),
      [
        ['/ask', '/contact'],
        ['/former', path],
      ],
    )
    const again = await importInto(to, file, 'replace')
    assert.deepEqual(
      again.lines.filter(({ kind }) => kind === 'imported'),
      [],
    )
    const { pictures: still } = await to.editor.call(pictures.list, {})
    assert.equal(still.length, 1)
  })

  test('an archive comes back to where it was made without a second picture or document', async () => {
    const before = await draftsOf(from)
    const { file } = await exportFrom()
    await from.editor.call(content.saveDraft, {
      id: document.id,
      body: pageBody(path, 'Changed'),
      revision: 2,
    })
    await importInto(from, file, 'skip')
    assert.equal((await draftsOf(from)).get(path)?.title, 'Changed')
    await importInto(from, file, 'replace')
    assert.deepEqual(await draftsOf(from), before)
    assert.equal((await from.editor.call(pictures.list, {})).pictures.length, 1)
  })

  test('a picture whose id is taken by another gets an id of its own, and documents name that', async () => {
    const other = await openPublishing()
    const taken = new Uint8Array(drawPng(48, 48, 0))
    await other.editor.call(pictures.keep, { id: picture.id, bytes: taken })
    const { lines } = await importInto(other, (await exportFrom()).file)
    const { blocks } = (await draftsOf(other)).get(path) ?? {}
    const id = JSON.stringify(blocks).match(/"picture":"([0-9a-f]{32})"/)?.[1]
    assert.notEqual(id, picture.id)
    assert.ok(lines.some(({ kind, what }) => kind === 'changed' && what === `Picture ${picture.id}`))
    // The id of a picture that was deleted is named by old versions: nothing else may take its place.
    await other.editor.call(pictures.delete, { id: picture.id })
    const kept = await other.editor.call(pictures.keep, {
      id: picture.id,
      bytes: new Uint8Array(drawPng(40, 48, 0)),
    })
    assert.notEqual(kept.picture.id, picture.id)
  })

  test('a logo comes along as a logo and can be published; without its file the site has none, and the report says so', async () => {
    const there = await openPublishing()
    const siteOf = async ({ editor }: typeof to) => {
      const { documents } = await editor.call(content.list, { kind: 'site' })
      return await editor.call(content.open, { id: documents[0]?.id ?? '' })
    }
    const own = await siteOf(from)
    const logo = await from.editor.call(pictures.uploadLogo, { bytes: new Uint8Array(drawPng(300, 300, 0)) })
    const brand = { main: '#7a2e4a', logo: { picture: logo.picture.id } }
    await from.editor.call(content.saveDraft, {
      id: own.document.id,
      body: { ...own.draft.body, brand },
      revision: own.draft.revision,
    })
    const { file } = await exportFrom()
    const before = (await siteOf(from)).draft.body
    const home = await importInto(from, file, 'replace')
    assert.deepEqual((await siteOf(from)).draft.body, before)
    assert.ok(!home.lines.some(({ what }) => what === 'The logo'))

    const { opened } = await importInto(there, file, 'replace')
    const imported = await siteOf(there)
    const { id } = imported.document
    await there.editor.call(content.publish, { id, revision: imported.draft.revision })
    assert.match(JSON.stringify(imported.draft.body.brand), /"logo":\{"picture":"[0-9a-f]{32}"\}/)

    const [site] = opened.documents
    const bare = await importInto(
      there,
      archiveOf({ 'documents/s.json': { ...site, title: 'Site' } }),
      'replace',
    )
    assert.ok(bare.lines.some(({ kind, what }) => kind === 'left out' && what === 'The logo'))
    assert.deepEqual((await siteOf(there)).draft.body.brand, { main: '#7a2e4a' })
  })

  const manifest = { format: 'landfall-content', version: 1, redirects: [], facts: [] }
  function archiveOf(files: Record<string, unknown>, own: unknown = manifest) {
    const archive = createArchive()
    archive.add('manifest.json', JSON.stringify(own))
    for (const [name, value] of Object.entries(files))
      archive.add(name, typeof value === 'string' ? value : JSON.stringify(value))
    return archive.finish()
  }

  test('a hostile archive imports what is a document, lists the rest, and writes nothing else (W22)', async () => {
    const own = newPath()
    const file = (change: object) => ({
      id: 'x',
      kind: 'page',
      path: own,
      title: 'T',
      draft: pageBody(own),
      live: null,
      ...change,
    })
    const missing = { ...block, picture: { ...block.picture, picture: 'f'.repeat(32) } }
    const { lines } = await importInto(
      to,
      archiveOf({
        '../../../etc/passwd': 'x',
        'documents/../a.json': file({}),
        'documents/wrong.json': '{',
        'documents/kind.json': file({ kind: 'user' }),
        'documents/shape.json': file({ id: 'y', path: '/z-shape', draft: { path: '/x', html: '<script>' } }),
        'documents/site.json': file({ id: 's', kind: 'site', path: '/', draft: {} }),
        'documents/other.json': file({
          kind: 'article',
          id: document.id,
          draft: { ...pageBody(own), author: '' },
        }),
        'documents/live.json': file({
          id: document.id,
          draft: { ...pageBody(own), blocks: [missing] },
          live: pageBody(own),
        }),
        [`pictures/${'f'.repeat(32)}.webp`]: '<svg onload="evil()">',
      }),
      'replace',
    )
    const said = lines.map(({ what, why, document: name }) => `${name}, ${what}: ${why}`).join('\n')
    for (const line of [
      'wrong.json',
      'kind.json',
      'shape of such a document',
      'not a JPEG',
      'What was live',
      'It is a page here',
    ])
      assert.ok(said.includes(line), `${line} in ${said}`)
    // The document with this id has the draft that was sent, and its address until somebody publishes.
    assert.equal((await draftsOf(to)).get(path)?.path, own)
    assert.ok(!(await draftsOf(to)).has('/z-shape'))
    assert.equal(JSON.stringify(await draftsOf(to)).includes('evil'), false)
  })

  test('a file that is no archive, of another kind or of a later version is refused', async () => {
    const refuses = async (file: Blob, words: RegExp) =>
      await assert.rejects(
        readArchive(file),
        (error: Error) => error instanceof UnreadableFile && words.test(error.message),
      )
    await refuses(new Blob(['x'.repeat(100_000)]), /not a ZIP/)
    await refuses(new Blob([]), /not a ZIP/)
    await refuses(archiveOf({}, { format: 'other' }), /Landfall has exported/)
    await refuses(archiveOf({}, { ...manifest, version: 2 }), /later version/)
    const whole = new Uint8Array(await archiveOf({ a: 'b' }).arrayBuffer())
    for (let at = 0; at < whole.length; at += 7)
      await readArchive(new Blob([whole.slice(0, at)])).catch(() => {})
    for (let at = 0; at < whole.length; at++)
      await readArchive(new Blob([whole.with(at, (whole[at] ?? 0) ^ 0xff)])).catch(error =>
        assert.ok(error instanceof UnreadableFile, String(error)),
      )
  })

  test('an entry that grows beyond its limit is given up, whatever size it states (W22)', async () => {
    const archive = await openArchive(deflated('bomb', Buffer.alloc(50_000_000)))
    await assert.rejects(archive.read('bomb', 1000), /too large/)
    assert.equal(await archive.read('nothing', 1000), null)
    const small = await openArchive(deflated('small', Buffer.from('words')))
    assert.equal(Buffer.from((await small.read('small', 1000)) ?? []).toString(), 'words')
  })
})

/** An archive of one file that is compressed, as other programs write it. */
function deflated(name: string, content: Buffer): Blob {
  const data = deflateRawSync(content)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50)
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + data.length, 16)
  return new Blob([Buffer.concat([head, Buffer.from(name), data, entry, Buffer.from(name), end])])
}
