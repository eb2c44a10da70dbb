import * as z from 'zod/mini'
import { PICTURE_ID } from '../../content/picture-use.ts'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

/** Bytes of one upload. A phone's photographs are smaller, and the portal reduces them before. */
export const MAX_UPLOAD = 8 * 1024 * 1024
/** Bytes of one logo. The browser draws it with 512 pixels, which have a mebibyte before they are compressed. */
export const MAX_LOGO = 2 * 1024 * 1024
/** Pixels of a side: for the largest icon, and not more than anybody sees. */
export const LOGO_SIDE = { least: 256, most: 1024 }
/** Bytes of all pictures in all sizes: some 500 photographs, which a nightly backup still takes in seconds. */
export const QUOTA = 200 * 1024 * 1024

const PictureId = z.string().check(z.regex(PICTURE_ID, 'There is no such picture'))

const Picture = z.object({
  id: z.string(),
  /** Pixels of the largest size; all sizes have its proportions. */
  width: z.number(),
  height: z.number(),
  /** The smallest size, as WebP. `pictureUrl` has the others. */
  url: z.string(),
})
export type Picture = z.output<typeof Picture>

/** A document that names a picture: its draft, or a version that is or was published. */
const Use = z.object({
  documentId: z.string(),
  title: z.string(),
  path: z.string(),
  isLive: z.boolean(),
  /** Whether it keeps the picture from being deleted: not if only versions of the past name it. */
  isNeeded: z.boolean(),
})
export type PictureUse = z.output<typeof Use>
/** In the refusal to delete a picture. */
export const PictureUses = z.array(Use)

const ListedPicture = z.extend(Picture, {
  /** Of all sizes together. */
  bytes: z.number(),
  createdAt: z.string(),
  uploadedBy: z.string(),
  uses: z.array(Use),
})
export type ListedPicture = z.output<typeof ListedPicture>

/** The reply to each kind of upload. */
const UPLOADS = {
  method: 'POST',
  access: 'content:edit',
  errorStatuses: [409, 413, 415, 503],
  status: 201,
  body: 'bytes',
  reply: z.object({ picture: Picture }),
  stale: ['/api/content/pictures'],
} as const

export const pictures = {
  /** The same file again gives the same picture. */
  upload: endpoint({
    ...UPLOADS,
    path: '/api/content/pictures',
    summary: 'Add a picture: a JPEG, PNG or WebP file',
    bodyLimit: MAX_UPLOAD,
    input: z.object({ bytes: z.instanceof(Uint8Array) }),
  }),
  /** The browser draws it, also one that is an SVG: the server takes nothing but a PNG, and draws all sizes of it again. */
  uploadLogo: endpoint({
    ...UPLOADS,
    path: '/api/content/pictures/logo',
    summary: 'Add a logo: a square PNG of 256 to 1,024 pixels',
    bodyLimit: MAX_LOGO,
    input: z.object({ bytes: z.instanceof(Uint8Array) }),
  }),
  /** Under its id, if no other picture has or had that: documents that name it then show it. */
  keep: endpoint({
    ...UPLOADS,
    path: '/api/content/pictures/:id',
    summary: 'Add a picture of an archive, under its id if that is free',
    bodyLimit: MAX_UPLOAD,
    input: z.object({ id: PictureId, bytes: z.instanceof(Uint8Array) }),
  }),
  /** Newest first. */
  list: endpoint({
    method: 'GET',
    path: '/api/content/pictures',
    access: 'content:read',
    summary: 'List the pictures, and the documents that use them',
    input: z.strictObject({
      /** The `nextCursor` of the previous page. */
      after: z.optional(z.string().check(z.maxLength(100, 'There is no such page'))),
    }),
    reply: z.object({
      pictures: z.array(ListedPicture),
      nextCursor: z.nullable(z.string()),
      usedBytes: z.number(),
      /** The most that `usedBytes` can be. */
      quota: z.number(),
    }),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/content/pictures/:id',
    access: 'content:edit',
    summary: 'Delete a picture that no draft and no page needs',
    errorStatuses: [409],
    input: z.strictObject({ id: PictureId }),
    reply: Empty,
    stale: ['/api/content/pictures'],
  }),
}
