import type { Orientation } from './orientation.ts'

/** What the bytes of a file say before anything is decoded. */
export interface Inspected {
  readonly format: 'jpeg' | 'png' | 'webp'
  /** Pixels as they are stored, perhaps turned by the metadata. */
  readonly width: number
  readonly height: number
  /** How to turn the pixels; the decoder of a JPEG does it by itself. */
  readonly orientation?: Orientation
}

/** Why a file cannot be a picture of this format. */
export type Damage = 'cut off' | 'animated' | 'damaged'
