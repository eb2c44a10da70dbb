import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { newPath } from '../../tests/support/content.ts'
import { changeDocument } from '../../tests/support/documents.ts'
import { openSite } from '../../tests/support/site.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { storePicture } from '../../tests/support/stored-picture.ts'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'
import { newPictureUse } from '../content/picture-use.ts'
import { content } from '../features/content-editor/contract.ts'
import { minutes } from '../platform/clock.ts'
import { createPictureFiles } from './pictures.server.ts'
import { pictureFormats, pictureUrl } from './sizes.ts'

suite('Files of pictures', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const site = await openSite(testApp)
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const everyPicture = { has: () => true, refresh: async () => {} }
  const store = async (size: number) => (await storePicture(testApp.services, size)).id
  /** Publishes a page that shows the picture. */
  async function show(id: string) {
    const page = { kind: 'page', path: newPath(), title: 'With a picture' } as const
    const { document } = await editor.call(content.create, page)
    const picture = { ...newPictureUse({ id, width: 64, height: 48 }), decoration: true }
    const { path, title } = page
    const blocks = [{ id: 'picture-1', type: 'picture', picture, caption: null }]
    await changeDocument(editor, document.id, { path, title, description: 'It has a picture.', blocks })
    return id
  }

  test('a picture is served for ever, to this site only, and from memory after the first time (W14)', async () => {
    const id = await show(await store(500))
    for (const format of pictureFormats) {
      const url = site.url + pictureUrl(id, 64, format)
      const replies = [await fetch(url), await fetch(url), await fetch(url, { method: 'HEAD' })]
      for (const { status, headers } of replies) {
        assert.equal(status, 200)
        assert.equal(headers.get('content-type'), `image/${format}`)
        assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
        assert.equal(headers.get('content-length'), '500')
      }
      const [first, second, head] = await Promise.all(replies.map(reply => reply.arrayBuffer()))
      assert.deepEqual(first, second)
      assert.equal(head?.byteLength, 0)
      const tag = replies[0]?.headers.get('etag') ?? ''
      assert.equal((await fetch(url, { headers: { 'if-none-match': tag } })).status, 304)
    }
    assert.equal(site.slowRequests, 2, 'each format was read once')
  })

  test('two processes on one database serve the same bytes with the same ETag', async () => {
    const { id, path, bytes } = await storePicture(testApp.services, 5000)
    await show(id)
    const { dataDir, databaseUrl } = testApp.services.config
    const reply = await fetch(site.url + path('avif'))
    const args = ['tests/support/read-picture.ts', dataDir, databaseUrl ?? '', PUBLIC_URL, path('avif')]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const etag = reply.headers.get('etag')
    assert.ok(etag)
    assert.deepEqual(JSON.parse(stdout), { sha256, etag })
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), bytes)
  })

  test('what is no picture is not found, and not kept for long', async () => {
    const id = await show(await store(500))
    const others = [
      pictureUrl(id, 480, 'avif'),
      `/pictures/${id}-64.png`,
      `/pictures/${id}`,
      '/pictures/x',
      '/pictures/',
    ]
    for (const path of others) {
      const reply = await fetch(site.url + path)
      assert.equal(reply.status, 404, path)
      assert.doesNotMatch(reply.headers.get('cache-control') ?? '', /immutable/)
    }
    const posted = await fetch(site.url + pictureUrl(id, 64, 'avif'), { method: 'POST' })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  })

  test('a WebP in place of a JPEG has one address, and is kept for minutes (found F7)', async () => {
    const id = await show(await store(500))
    const reply = await fetch(site.url + pictureUrl(id, 64, 'jpg'))
    assert.deepEqual(
      [reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')],
      [200, 'image/webp', 'public, max-age=300'],
    )
    for (const width of ['1', '0064', '63', '480', '9999'])
      assert.equal((await fetch(`${site.url}/pictures/${id}-${width}.jpg`)).status, 404, width)
  })

  test('the pictures in memory never take more than the limit, and the last one is among them (W15)', async () => {
    const files = createPictureFiles(db, PUBLIC_URL, clock, everyPicture, 2500)
    const paths: string[] = []
    for (let count = 0; count < 6; count++) {
      const path = pictureUrl(await store(1000), 64, 'avif')
      paths.push(path)
      await files.fetch(path)
      // Asked for again and again, so the others go.
      await files.fetch(paths[0] ?? '')
      assert.ok(files.size() <= 2500, `${files.size()} bytes`)
    }
    assert.deepEqual(
      paths.map(path => files.get(path) !== undefined),
      [true, false, false, false, false, true],
    )
    await files.fetch(pictureUrl(await store(3000), 64, 'avif'))
    assert.equal(files.size(), 0)
  })

  test('a file is read from the database once for all who ask for it at the same time', async () => {
    let reads = 0
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        reads++
        return result
      },
    })
    const files = createPictureFiles(counting, PUBLIC_URL, clock, everyPicture)
    const path = pictureUrl(await store(1000), 64, 'webp')
    const found = await Promise.all(Array.from({ length: 50 }, () => files.fetch(path)))
    assert.ok(found.every(file => file?.plain.body.length === 1000))
    assert.equal(reads, 1)
  })

  test('a picture in memory is public only while a live page shows it (found A5)', async () => {
    const path = pictureUrl(await store(1000), 64, 'avif')
    let isLive = true
    const files = createPictureFiles(db, PUBLIC_URL, clock, { has: () => isLive, refresh: async () => {} })
    await files.fetch(path)
    assert.ok(files.get(path))
    isLive = false
    assert.deepEqual([files.get(path), await files.fetch(path)], [undefined, null])
  })

  test('a picture that was deleted is gone within a minute', async () => {
    const files = createPictureFiles(db, PUBLIC_URL, clock, everyPicture)
    const id = await store(1000)
    const path = pictureUrl(id, 64, 'avif')
    await files.fetch(path)
    await db.deleteFrom('pictures').where('id', '=', id).execute()
    assert.ok(files.get(path))
    testApp.wait(minutes(1))
    assert.equal(files.get(path), undefined)
    assert.equal(await files.fetch(path), null)
  })
})
