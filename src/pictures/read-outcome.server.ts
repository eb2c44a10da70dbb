import * as z from 'zod/mini'
import { type EncodedPicture, LENGTH_BYTES, type Outcome } from './encoded.ts'
import { pictureFormats, widths } from './sizes.ts'

const Head = z.union([
  z.strictObject({ refused: z.enum(['unreadable', 'too detailed']) }),
  z.strictObject({
    width: z.int().check(z.gte(1)),
    height: z.int().check(z.gte(1)),
    files: z.array(
      z.strictObject({
        width: z.int(),
        format: z.enum(pictureFormats),
        length: z.int().check(z.gte(1)),
      }),
    ),
  }),
])

/** Reads the output of the child process, which has seen hostile bytes and is not trusted. @throws {Error} when it is not whole */
export function readOutcome(output: Buffer): Outcome {
  const headEnd = LENGTH_BYTES + (output.length < LENGTH_BYTES ? 0 : output.readUInt32BE(0))
  const head = Head.parse(JSON.parse(output.toString('utf8', LENGTH_BYTES, headEnd)))
  if ('refused' in head) return head
  const { width, height } = head
  let at = headEnd
  const files = head.files.map(({ length, ...file }) => {
    at += length
    return { ...file, bytes: output.subarray(at - length, at) }
  })
  if (at !== output.length) throw new Error('The output has another length than it says')
  const picture = { width, height, files }
  if (!isComplete(picture)) throw new Error('The output is not a picture in all sizes')
  return picture
}

function isComplete({ width, files }: EncodedPicture): boolean {
  const expected = pictureFormats.flatMap(format => widths(width).map(each => `${each} ${format}`))
  const names = files.map(file => `${file.width} ${file.format}`)
  return names.join() === expected.join() && files.every(isOfItsFormat)
}

function isOfItsFormat({ format, bytes }: EncodedPicture['files'][number]): boolean {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return format === 'avif' ? text.slice(4) === 'ftypavif' : /^RIFF.{4}WEBP$/s.test(text)
}
