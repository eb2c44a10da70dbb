import type { Selectable } from 'kysely'

/** The tables of pictures: those that staff upload, and who names them. */
export interface PictureTables {
  pictures: PicturesTable
  picture_files: PictureFilesTable
  picture_hashes: PictureHashesTable
  content_draft_pictures: ContentDraftPicturesTable
  content_version_pictures: ContentVersionPicturesTable
}

interface PicturesTable {
  /** Random: 128 bits in hexadecimal. */
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

/** Which upload became which picture. It outlives the picture: the same file again is the picture that versions name. */
interface PictureHashesTable {
  /** Of the file that was uploaded, in hexadecimal. Nobody outside of the server learns it. */
  sha256: string
  picture_id: string
  /** 1 for a picture whose address was its hash. */
  was_address: number
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
