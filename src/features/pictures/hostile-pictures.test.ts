import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import {
  drawJpeg,
  drawPng,
  drawWebp,
  END,
  header,
  toPng,
  toWebp,
  turnedPng,
  turnedWebp,
  upload,
  withPosition,
} from '../../../tests/support/pictures.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { decoders } from '../../pictures/encode-sizes.ts'
import { MAX_UPLOAD } from './contract.ts'

suite('Hostile pictures', async () => {
  const testApp = await openTestApp()
  const { db, pictures } = testApp.services
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const jpeg = await drawJpeg(64, 48)
  const webp = await drawWebp(64, 48)
  const stored = async () => (await db.selectFrom('pictures').select('id').execute()).length

  /** A picture that says to have this size. Decoded, it would take four bytes for each of its pixels. */
  const bomb = (width: number, height: number) =>
    toPng([header(width, height), ['IDAT', deflateSync(Buffer.alloc(100_000))], END])
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const canvas = Buffer.from('020000003f00002f0000', 'hex')
  const jpegOfSize = Buffer.from(jpeg)
  jpegOfSize.writeUInt32BE(0x27102710, jpeg.indexOf(Buffer.from('ffc2', 'hex')) + 5)

  const refused: readonly [what: string, bytes: Buffer, status: number, reason: RegExp][] = [
    ['no bytes', Buffer.alloc(0), 400, /empty|given/],
    ['one byte', Buffer.from([0xff]), 415, /not a JPEG, PNG or WebP/],
    ['9 MB', Buffer.alloc(9 * 1024 * 1024), 413, /too large/],
    [
      'a file that is one byte too large',
      Buffer.concat([jpeg, Buffer.alloc(MAX_UPLOAD + 1 - jpeg.length)]),
      413,
      /too large/,
    ],
    ['an SVG', Buffer.from(svg), 415, /not a JPEG/],
    [
      'an SVG after the first bytes of a JPEG',
      Buffer.concat([jpeg.subarray(0, 3), Buffer.from(svg)]),
      400,
      /damaged|cut off/,
    ],
    [
      'a GIF',
      Buffer.from(
        '47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b',
        'hex',
      ),
      415,
      /not a JPEG/,
    ],
    ['a PNG of 30,000 by 30,000 pixels', bomb(30_000, 30_000), 400, /900 megapixels/],
    ['a JPEG of 10,000 by 10,000 pixels', jpegOfSize, 400, /100 megapixels/],
    ['a picture of no height', bomb(100, 0), 400, /damaged/],
    ['a line', bomb(4000, 100), 400, /long and thin/],
    ['a JPEG that is cut off', jpeg.subarray(0, -100), 400, /cut off/],
    ['a PNG that is cut off', drawPng(64, 48).subarray(0, -12), 400, /cut off/],
    ['a WebP that is cut off', webp.subarray(0, -10), 400, /cut off/],
    ['an animated PNG', toPng([header(64, 48), ['acTL', Buffer.alloc(8)], END]), 400, /animated/],
    [
      'an animated WebP',
      toWebp([
        ['VP8X', canvas],
        ['ANIM', Buffer.alloc(6)],
      ]),
      400,
      /animated/,
    ],
    ['a PNG whose pixels are missing', bomb(640, 480), 400, /damaged/],
  ]

  for (const [what, bytes, status, reason] of refused)
    test(`${what} is refused as a picture with the reason (W13)`, async () => {
      const before = await stored()
      const reply = await upload(editor, bytes)
      assert.equal(reply.status, status)
      assert.match((await reply.json()).message, reason)
      assert.equal(await stored(), before)
    })

  test('of a photograph nothing is served but its pixels, and these are turned as it says (W14)', async () => {
    const tail = Buffer.from('<html><script>alert(1)</script>')
    const reply = await upload(editor, Buffer.concat([withPosition(jpeg), tail]))
    assert.equal(reply.status, 201)
    const { picture } = await reply.json()
    assert.deepEqual([picture.width, picture.height], [48, 64])
    const served = await Promise.all(
      ['avif', 'webp'].map(format => pictures.files.fetchPrivate(`/pictures/${picture.id}-48.${format}`)),
    )
    for (const file of served) {
      const bytes = Buffer.from(file?.plain.body ?? [])
      assert.ok(bytes.length > 100)
      assert.doesNotMatch(bytes.toString('latin1'), /SECRET|Exif|<html|script/)
    }
    await assertTurned(served[1]?.plain.body)
  })

  test('a PNG and a WebP are turned as their metadata says', async () => {
    for (const bytes of [turnedPng(drawPng(64, 48), 6), turnedWebp(await drawWebp(64, 48), 6)]) {
      const { picture } = await (await upload(editor, bytes)).json()
      assert.deepEqual([picture.width, picture.height], [48, 64])
      await assertTurned((await pictures.files.fetchPrivate(`/pictures/${picture.id}-48.webp`))?.plain.body)
    }
  })
})

/** Red was at the top left, and is at the top right now. @param webp 48 pixels wide */
async function assertTurned(webp: Uint8Array = new Uint8Array()) {
  const turned = await decoders.webp(new Uint8Array(webp))
  const colour = (x: number, y: number) =>
    Array.from(turned?.data.slice((y * 48 + x) * 4, (y * 48 + x) * 4 + 3) ?? [])
  const [left, right] = [colour(4, 4), colour(43, 4)]
  assert.ok((right[0] ?? 0) > 180 && (right[1] ?? 255) < 90, `${right}`)
  assert.ok((left[1] ?? 0) > 80, `${left}`)
}
