// In a process of its own: it measures processor time.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { drawJpeg, drawPng, drawWebp, END, header, toPng, toWebp } from '../../tests/support/pictures.ts'
import { processorTime } from '../../tests/support/processor-time.ts'
import fc from '../../tests/support/properties.ts'
import { inspectPicture } from './inspect-picture.ts'

suite('The structure of a picture', async () => {
  const whole = { jpeg: await drawJpeg(64, 48), png: drawPng(64, 48), webp: await drawWebp(64, 48) }

  test('the format and the size of a whole picture are read from its bytes', () => {
    for (const [format, bytes] of Object.entries(whole))
      assert.deepEqual(inspectPicture(bytes), { format, width: 64, height: 48 })
  })

  test('a picture that ends anywhere before its end is refused', () => {
    for (const bytes of Object.values(whole))
      for (let length = 0; length < bytes.length; length++) {
        const found = inspectPicture(bytes.subarray(0, length))
        assert.ok(found === null || typeof found === 'string', `${length} of ${bytes.length} bytes`)
      }
  })

  test('what is written after the end of a picture is not read', () => {
    const tail = Buffer.from('<html><script>alert(1)</script></html>')
    for (const [format, bytes] of Object.entries(whole))
      assert.deepEqual(inspectPicture(Buffer.concat([bytes, tail])), { format, width: 64, height: 48 })
  })

  test('an animated picture is refused, whatever comes first in it', () => {
    const animation = toPng([header(64, 48), ['acTL', Buffer.alloc(8)], ['IDAT', Buffer.alloc(1)], END])
    assert.equal(inspectPicture(animation), 'animated')
    const canvas = Buffer.from('02000000 3f0000 2f0000'.replaceAll(' ', ''), 'hex')
    assert.equal(
      inspectPicture(
        toWebp([
          ['VP8X', canvas],
          ['ANIM', Buffer.alloc(6)],
        ]),
      ),
      'animated',
    )
    assert.equal(inspectPicture(toWebp([['ANMF', Buffer.alloc(24)]])), 'animated')
  })

  test('a file of very many parts is refused after the first thousands, and stuffed bytes cost nobody time', async () => {
    const empty = Array(20_000).fill(['teXt', Buffer.alloc(0)])
    const jpeg = [whole.jpeg.subarray(0, -2), Buffer.alloc(8_000_000, 'ff00', 'hex'), whole.jpeg.subarray(-2)]
    const files = [
      [Buffer.concat([whole.webp, Buffer.alloc(8_000_000)]), 'damaged'],
      [toPng([header(64, 48), ...empty, END]), 'damaged'],
      [Buffer.concat([whole.jpeg.subarray(0, 2), Buffer.alloc(8_000_000, 'ffe10002', 'hex')]), 'damaged'],
      [Buffer.concat(jpeg), { format: 'jpeg', width: 64, height: 48 }],
    ] as const
    files[0][0].writeUInt32LE(files[0][0].length - 8, 4)
    for (const [bytes, found] of files) {
      const time = await processorTime(() => assert.deepEqual(inspectPicture(bytes), found))
      assert.ok(time < 100, `${time} ms for ${JSON.stringify(found)}`)
    }
  })

  test('of two sizes that a WebP file gives, the larger one counts', () => {
    const canvas = Buffer.from('00000000 ff3f00 ff3f00'.replaceAll(' ', ''), 'hex')
    const frame = whole.webp.subarray(20)
    assert.deepEqual(
      inspectPicture(
        toWebp([
          ['VP8X', canvas],
          ['VP8 ', frame],
        ]),
      ),
      {
        format: 'webp',
        width: 16384,
        height: 16384,
      },
    )
  })

  test('chunks and segments of a wrong length are refused', () => {
    const [png, webp, jpeg] = [Buffer.from(whole.png), Buffer.from(whole.webp), Buffer.from(whole.jpeg)]
    png.writeUInt32BE(0xffffffff, 33)
    webp.writeUInt32LE(0xffffffff, 16)
    jpeg.writeUInt16BE(1, 4)
    assert.deepEqual([png, webp, jpeg].map(inspectPicture), ['cut off', 'cut off', 'damaged'])
  })

  test('a second frame in a JPEG file is refused, since its size would count', () => {
    const frame = whole.jpeg.indexOf(Buffer.from('ffc2', 'hex'))
    const twice = [
      whole.jpeg.subarray(0, frame),
      whole.jpeg.subarray(frame, frame + 19),
      whole.jpeg.subarray(frame),
    ]
    assert.equal(inspectPicture(Buffer.concat(twice)), 'damaged')
  })

  test('a JPEG file whose marker without a length hides a large frame is refused', () => {
    const frame = whole.jpeg.indexOf(Buffer.from('ffc2', 'hex'))
    const large = Buffer.from(whole.jpeg.subarray(2))
    large.writeUInt32BE(0x75307530, frame + 3)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(large.length + 2)
    for (const marker of [0x00, 0x01, 0xd0, 0xd8, 0xd9]) {
      const hidden = [Buffer.from([0xff, 0xd8, 0xff, marker]), length, large, whole.jpeg.subarray(2)]
      assert.equal(inspectPicture(Buffer.concat(hidden)), 'damaged', `after ${marker.toString(16)}`)
    }
  })

  test('no bytes at all make it fail', () => {
    const starts = Object.values(whole).map(bytes => fc.constant(bytes))
    fc.assert(
      fc.property(fc.oneof(...starts), fc.nat(), fc.uint8Array({ maxLength: 40 }), (bytes, at, other) => {
        const changed = Buffer.from(bytes)
        changed.set(other.subarray(0, bytes.length), at % Math.max(1, bytes.length - other.length))
        inspectPicture(changed)
        inspectPicture(other)
      }),
      { numRuns: 2000 },
    )
  })
})
