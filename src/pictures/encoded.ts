import type { FileFormat } from './sizes.ts'

/** A picture in all its sizes, as the child process writes it to its output. */

export interface EncodedFile {
  readonly width: number
  readonly format: FileFormat
  readonly bytes: Uint8Array
}

export interface EncodedPicture {
  /** Pixels of the largest size. */
  readonly width: number
  readonly height: number
  readonly files: readonly EncodedFile[]
}

/** Why the child process has made none: the decoder fails, or the picture does not fit even in the lowest quality. */
export type Refused = 'unreadable' | 'too detailed'

export type Outcome = EncodedPicture | { readonly refused: Refused }

/** Bytes of the length of the head. */
export const LENGTH_BYTES = 4

/** The length of a head in JSON, that head, then the files in its order. */
export function writeOutcome(outcome: Outcome): Buffer {
  const files = 'refused' in outcome ? [] : outcome.files
  const list = files.map(({ bytes, ...file }) => ({ ...file, length: bytes.length }))
  const head = Buffer.from(JSON.stringify('refused' in outcome ? outcome : { ...outcome, files: list }))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, ...files.map(({ bytes }) => bytes)])
}
