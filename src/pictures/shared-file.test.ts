import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { drawPng } from '../../tests/support/pictures.ts'
import { storePicture } from '../../tests/support/stored-picture.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { encodeSizes } from './encode-sizes.ts'
import { inspectPicture } from './inspect-picture.ts'
import { pictureUrl, sharedSize } from './sizes.ts'

suite('The file of a picture that is shared', async () => {
  test('is 1200 by 630 of a large picture, and no larger than a small one', () => {
    assert.deepEqual(sharedSize({ width: 1600, height: 1200 }), { width: 1200, height: 630 })
    assert.deepEqual(sharedSize({ width: 1600, height: 840 }), { width: 1200, height: 630 })
    assert.deepEqual(sharedSize({ width: 600, height: 2400 }), { width: 600, height: 315 })
    assert.deepEqual(sharedSize({ width: 1600, height: 160 }), { width: 304, height: 160 })
    assert.deepEqual(sharedSize({ width: 1, height: 1 }), { width: 1, height: 1 })
  })

  for (const [width, height] of [
    [1300, 900],
    [64, 48],
    [20, 200],
  ] as const)
    test(`is a JPEG of its size for a PNG of ${width} by ${height}, light enough for messengers`, async () => {
      const bytes = new Uint8Array(drawPng(width, height))
      const inspected = inspectPicture(bytes)
      assert.ok(inspected && typeof inspected === 'object')
      const outcome = await encodeSizes(inspected, bytes)
      assert.ok('files' in outcome)
      const [file, ...others] = outcome.files.filter(({ format }) => format === 'jpg')
      assert.ok(file && others.length === 0)
      const jpeg = inspectPicture(file.bytes)
      assert.ok(jpeg && typeof jpeg === 'object')
      const size = sharedSize({ width, height })
      assert.deepEqual([jpeg.format, jpeg.width, jpeg.height], ['jpeg', size.width, size.height])
      assert.equal(file.width, size.width)
      assert.ok(file.bytes.length <= 250_000)
    })

  test('is the WebP for a picture that was added before there were JPEGs, and nothing for one that is not there', async () => {
    const testApp = await openTestApp()
    const { files } = testApp.services.pictures
    const { id, bytes } = await storePicture(testApp.services, 500)
    const found = await files.fetchPrivate(pictureUrl(id, 64, 'jpg'))
    assert.deepEqual(Buffer.from(found?.plain.body ?? []), bytes)
    assert.match(JSON.stringify(found), /image\/webp/)
    assert.equal(await files.fetchPrivate(pictureUrl('0'.repeat(32), 64, 'jpg')), null)
  })
})
