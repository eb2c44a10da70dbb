import type { Clock } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import { createPictureEncoder, type PictureEncoder } from './encoder.server.ts'
import { createPictureFiles, type PictureFiles } from './picture-files.server.ts'

/** Pictures that staff upload: how they become files of all sizes, and how these are served. */
export interface Pictures {
  readonly encoder: PictureEncoder
  readonly files: PictureFiles
}

export function openPictures(db: Database, publicUrl: string, clock: Clock): Pictures {
  return { encoder: createPictureEncoder(), files: createPictureFiles(db, publicUrl, clock) }
}
