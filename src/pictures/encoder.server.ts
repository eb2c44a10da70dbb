import * as z from 'zod/mini'
import { encodeInChild } from './child-process.server.ts'
import { type EncodedPicture, LENGTH_BYTES, type Outcome } from './encoded.ts'
import { inspectPicture } from './inspect-picture.ts'
import { fileFormats, filesOf, type PictureKind } from './sizes.ts'
import { createThrottle } from './throttle.server.ts'

/** Pictures that are being encoded or wait for it. Each may be 8 MB, and the last of them waits some 20 seconds. */
export const MAX_PLACES = 4
/** Of one person, who may send their files as slowly as they like while the others upload theirs. */
const MAX_PLACES_PER_USER = 2

/** Encodes pictures, one at a time, in a process of its own for each. @param run runs the process; tests pass their own */
export function createPictureEncoder(run: typeof encodeInChild = encodeInChild) {
  const closing = new AbortController()
  const throttle = createThrottle()
  /** The user of each place. */
  const taken: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    /** Stops encoding while a request is answered. */
    whileAnswering: throttle.whileAnswering,
    /** Takes a place before the upload is read. @returns what gives it back; null while all of them, or all of this user, are taken */
    acquireSlot(userId: string) {
      const own = taken.filter(each => each === userId).length
      if (taken.length >= MAX_PLACES || own >= MAX_PLACES_PER_USER) return null
      taken.push(userId)
      return () => {
        taken.splice(taken.indexOf(userId), 1)
      }
    },
    /** @throws {ChildFailed} when the process fails or is too slow, or after `close` */
    async encode(bytes: Uint8Array, kind: PictureKind = 'picture') {
      const turn = last.then(async () => await run(bytes, closing.signal, throttle, undefined, kind))
      last = turn.catch(() => {})
      return readOutcome(await turn, kind)
    },
    /** Ends the process, and lets those that wait fail. */
    async close() {
      closing.abort()
      await last
    },
  }
}

const Head = z.union([
  z.strictObject({ refused: z.enum(['unreadable', 'too detailed']) }),
  z.strictObject({
    width: z.int().check(z.gte(1)),
    height: z.int().check(z.gte(1)),
    files: z.array(
      z.strictObject({
        width: z.int(),
        format: z.enum(fileFormats),
        length: z.int().check(z.gte(1)),
      }),
    ),
  }),
])

/** Reads the output of the child process, which has seen hostile bytes and is not trusted. @throws {Error} when it is not whole */
export function readOutcome(output: Buffer, kind: PictureKind = 'picture'): Outcome {
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
  if (!isComplete(picture, kind)) throw new Error('The output is not a picture in all sizes')
  return picture
}

function isComplete({ width, height, files }: EncodedPicture, kind: PictureKind): boolean {
  const expected = filesOf(kind, { width, height }).map(file => `${file.width} ${file.format}`)
  const names = files.map(file => `${file.width} ${file.format}`)
  return names.join() === expected.join() && files.every(isOfItsFormat)
}

function isOfItsFormat({ format, bytes, width }: EncodedPicture['files'][number]): boolean {
  if (format === 'png') {
    const png = inspectPicture(bytes)
    return png !== null && typeof png === 'object' && png.format === 'png' && png.width === width
  }
  if (format === 'jpg') return Buffer.from(bytes.subarray(0, 3)).toString('hex') === 'ffd8ff'
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return format === 'avif' ? text.slice(4) === 'ftypavif' : /^RIFF.{4}WEBP$/s.test(text)
}
