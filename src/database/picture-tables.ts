import type { Selectable } from 'kysely'

/** The tables of pictures: those that staff upload, and who names them. */
export interface PictureTables {
  pictures: PicturesTable
  picture_files: PictureFilesTable
  content_draft_pictures: ContentDraftPicturesTable
  content_version_pictures: ContentVersionPicturesTable
}

interface PicturesTable {
  /** The SHA-256 of the file that was uploaded, in hexadecimal. */
  id: string
  /** Pixels of the largest size. */
  width: number
  height: number
  /** Of all its files. */
  bytes: number
  /** The name at that time, which outlives the account. */
  uploaded_by: string
  created_at: string
}

/** A picture in one size and format. */
interface PictureFilesTable {
  /** As in its address: `<id>-480.avif`. */
  name: string
  picture_id: string
  /** Base64. */
  body: string
}

/** The pictures that a draft names. Some may be missing. */
interface ContentDraftPicturesTable {
  document_id: string
  picture_id: string
}

/** The pictures that a version names. Once it is out of date, they may be deleted. */
interface ContentVersionPicturesTable {
  version_id: string
  picture_id: string
}

export type PictureRow = Selectable<PicturesTable>
