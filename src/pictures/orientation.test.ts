import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { drawPng, drawWebp, exifOf, turnedPng, turnedWebp } from '../../tests/support/pictures.ts'
import { inspectPicture } from './inspect-picture.ts'
import { type Orientation, readOrientation, turn } from './orientation.ts'

/** A picture of three rows of two, by what is shown for each number of Exif. */
const shown: Record<Orientation, string> = {
  1: 'ab cd ef',
  2: 'ba dc fe',
  3: 'fe dc ba',
  4: 'ef cd ab',
  5: 'ace bdf',
  6: 'eca fdb',
  7: 'fdb eca',
  8: 'bdf ace',
}

/** One pixel for each character. */
function toPixels(rows: string) {
  const [first = '', ...others] = rows.split(' ')
  const characters = [first, ...others].join('')
  const data = Uint8ClampedArray.from(
    [...characters].flatMap(character => [character.charCodeAt(0), 0, 0, 255]),
  )
  return { data, width: first.length, height: others.length + 1 }
}

suite('The orientation of a picture', () => {
  test('a picture is mirrored or turned as the eight numbers of Exif say', () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8] as const)
      assert.deepEqual(turn(toPixels(shown[1]), orientation), toPixels(shown[orientation]), `${orientation}`)
  })

  test('the orientation of a PNG and of a WebP is read from its metadata', async () => {
    const png = turnedPng(drawPng(64, 48), 6)
    const webp = turnedWebp(await drawWebp(64, 48), 8)
    assert.deepEqual(inspectPicture(png), { format: 'png', width: 64, height: 48, orientation: 6 })
    assert.deepEqual(inspectPicture(webp), { format: 'webp', width: 64, height: 48, orientation: 8 })
  })

  test('metadata in either byte order and after its usual prefix is read, and any other turns nothing', () => {
    assert.equal(readOrientation(exifOf(6)), 6)
    assert.equal(readOrientation(Buffer.concat([Buffer.from('Exif\0\0'), exifOf(3)])), 3)
    const little = Buffer.from('49492a000800000001001201030001000000050000000000000000', 'hex')
    assert.equal(readOrientation(little), 5)
    const exif = exifOf(6)
    for (let length = 0; length < exif.length; length++) readOrientation(exif.subarray(0, length))
    for (const value of [0, 1, 9, 65_535]) assert.equal(readOrientation(exifOf(value)), 1)
    const lost = Buffer.from(exif)
    lost.writeUInt32BE(0xffffffff, 4)
    assert.equal(readOrientation(lost), 1)
  })
})
