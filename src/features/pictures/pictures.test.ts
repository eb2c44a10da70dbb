import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPicture, drawJpeg, drawPng, drawWebp, upload } from '../../../tests/support/pictures.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { pictureUrl, sharedSize, widths } from '../../pictures/sizes.ts'
import { UPLOADS_PER_USER } from './api.server.ts'
import { pictures as calls, QUOTA } from './contract.ts'

suite('Pictures', async () => {
  const testApp = await openTestApp()
  const { db, pictures, rateLimiter } = testApp.services
  const editorUser = await createStaff(testApp, 'editor')
  const editor = await signInAs(testApp, editorUser.email)
  const listed = async (id: string) =>
    (await editor.call(calls.list, {})).pictures.find(picture => picture.id === id)
  const fileNames = async (id: string) => {
    const query = db.selectFrom('picture_files').select('name').where('picture_id', '=', id).orderBy('name')
    return (await query.execute()).map(({ name }) => `/pictures/${name}`)
  }

  test('a picture is offered in the widths that it has, the largest being its own', () => {
    assert.deepEqual([64, 480, 481, 960, 1200, 1600, 2560].map(widths), [
      [64],
      [480],
      [480, 481],
      [480, 960],
      [480, 960, 1200],
      [480, 960, 1600],
      [480, 960, 1600],
    ])
  })

  test('a JPEG, a PNG and a WebP are stored in all their sizes, and listed with who uploaded them', async () => {
    const [jpeg, png, webp] = [await drawJpeg(490, 60), drawPng(64, 48), await drawWebp(64, 48)]
    for (const [bytes, width, height] of [
      [jpeg, 490, 60],
      [png, 64, 48],
      [webp, 64, 48],
    ] as const) {
      const reply = await upload(editor, bytes)
      assert.equal(reply.status, 201)
      const { picture } = await reply.json()
      const url = pictureUrl(picture.id, Math.min(width, 480), 'webp')
      assert.deepEqual(picture, { id: picture.id, width, height, url })
      const expected = widths(width).flatMap(each => [
        pictureUrl(picture.id, each, 'avif'),
        pictureUrl(picture.id, each, 'webp'),
      ])
      expected.push(pictureUrl(picture.id, sharedSize({ width, height }).width, 'jpg'))
      expected.sort()
      assert.deepEqual(await fileNames(picture.id), expected)
      const { bytes: size = 0, uploadedBy, uses } = (await listed(picture.id)) ?? {}
      assert.deepEqual([uploadedBy, uses], [editorUser.name, []])
      const files = await Promise.all(expected.map(path => pictures.files.fetchPrivate(path)))
      assert.equal(
        size,
        files.reduce((sum, file) => sum + (file?.plain.body.length ?? 0), 0),
      )
    }
  })

  test('the same file again is the same picture, stored once', async () => {
    const bytes = drawPng(64, 48)
    const replies = [await upload(editor, bytes), await upload(editor, bytes)]
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201],
    )
    const [first, second] = await Promise.all(replies.map(reply => reply.json()))
    assert.deepEqual(first.picture, second.picture)
    const { pictures: all } = await editor.call(calls.list, {})
    assert.equal(all.filter(({ id }) => id === first.picture.id).length, 1)
  })

  test('the quota holds, and says how much is used', async () => {
    const { usedBytes } = await editor.call(calls.list, {})
    const filler = { id: 'f'.repeat(32), width: 1, height: 1, uploaded_by: 'Robin', created_at: '2020-01-01' }
    await db
      .insertInto('pictures')
      .values({ ...filler, bytes: QUOTA - usedBytes - 10 })
      .execute()
    const full = await upload(editor, drawPng(64, 48))
    assert.equal(full.status, 409)
    const { code, message } = await full.json()
    assert.deepEqual(
      [code, message],
      ['quota_reached', 'There is no room: the pictures take 200 of 200 MB. Delete some that no page uses.'],
    )
    await editor.call(calls.delete, { id: filler.id })
    assert.equal((await upload(editor, drawPng(64, 48))).status, 201)
    assert.equal((await editor.call(calls.list, {})).quota, QUOTA)
  })

  test('the list has fifty pictures on a page, newest first', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => {
      const number = String(at).padStart(2, '0')
      const at2019 = `2019-01-01T00:00:${number}.000Z`
      return {
        id: `${number}${'0'.repeat(30)}`,
        width: 1,
        height: 1,
        bytes: 1,
        uploaded_by: 'Robin',
        created_at: at2019,
      }
    })
    await db.insertInto('pictures').values(rows).execute()
    const first = await editor.call(calls.list, {})
    assert.equal(first.pictures.length, 50)
    const second = await editor.call(calls.list, { after: first.nextCursor ?? '' })
    assert.equal(second.nextCursor, null)
    const times = [...first.pictures, ...second.pictures].map(({ createdAt }) => createdAt)
    assert.deepEqual(times, times.toSorted().toReversed())
    assert.equal(new Set([...first.pictures, ...second.pictures].map(({ id }) => id)).size, times.length)
    assert.ok(times.length > 60)
    await db.deleteFrom('pictures').where('created_at', '<', '2020').execute()
  })

  test('a deleted picture is gone from the list and the database', async () => {
    const id = await addPicture(editor)
    const [path = ''] = await fileNames(id)
    assert.ok(await pictures.files.fetchPrivate(path))
    await editor.call(calls.delete, { id })
    assert.deepEqual(
      [await listed(id), await fileNames(id), await pictures.files.fetchPrivate(path)],
      [undefined, [], null],
    )
    assert.equal((await editor.send('DELETE', `/api/content/pictures/${id}`)).status, 404)
  })

  test('what is added and deleted is logged with who did it', async () => {
    const id = await addPicture(editor)
    await editor.call(calls.delete, { id })
    await testApp.services.flushLog()
    const rows = await db
      .selectFrom('logs')
      .select(['message', 'user_id', 'details'])
      .where('message', 'like', 'Picture %')
      .execute()
    const own = rows.filter(({ details }) => details.includes(id))
    assert.deepEqual(
      own.map(({ message, user_id }) => [message, user_id]),
      [
        ['Picture added', editorUser.id],
        ['Picture deleted', editorUser.id],
      ],
    )
  })

  test('a picture is not read from anybody who may not add one (W15)', async () => {
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    const send = async (browser: typeof viewer) => {
      let isRead = false
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            isRead = true
            controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      const { csrfToken } = await (await browser.fetch('/api/csrf-token')).json()
      const headers = {
        cookie: [...browser.cookies].map(pair => pair.join('=')).join('; '),
        origin: testApp.services.config.publicUrl,
        'x-csrf-token': csrfToken,
      }
      const url = `${testApp.services.config.publicUrl}/api/content/pictures`
      const init = { method: 'POST', headers, body, duplex: 'half' }
      const request = new Request(url, init)
      const reply = await testApp.app.fetch(request, { peer: '192.0.2.9' })
      return [reply.status, isRead]
    }
    assert.deepEqual(await send(viewer), [403, false])
    assert.deepEqual(await send(testApp.browser()), [401, false])
    const held = Array.from({ length: 4 }, (_, at) => pictures.encoder.acquireSlot(`user ${at % 2}`))
    assert.deepEqual(await send(editor), [503, false])
    for (const leave of held) leave?.()
    assert.deepEqual(await send(editor), [400, true])
    const slow = [pictures.encoder.acquireSlot(editorUser.id), pictures.encoder.acquireSlot(editorUser.id)]
    assert.deepEqual(await send(editor), [503, false], 'two of their own are on the way')
    const other = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    assert.deepEqual(await send(other), [400, true])
    for (const leave of slow) leave?.()
    const spent = await createStaff(testApp, 'editor')
    for (let count = 0; count < UPLOADS_PER_USER.count; count++)
      await rateLimiter.consume(UPLOADS_PER_USER, spent.id)
    assert.deepEqual(await send(await signInAs(testApp, spent.email)), [429, false], 'with no uploads left')
  })

  test('a user cannot upload without end (W15)', async () => {
    const busy = await createStaff(testApp, 'editor')
    const browser = await signInAs(testApp, busy.email)
    for (let count = 1; count < UPLOADS_PER_USER.count; count++)
      await rateLimiter.consume(UPLOADS_PER_USER, busy.id)
    assert.equal((await upload(browser, drawPng(64, 48))).status, 201)
    assert.equal((await upload(browser, drawPng(64, 48))).status, 429)
  })
})
