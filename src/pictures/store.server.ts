import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { isScheduled, liveIdOf } from '../content/live.server.ts'
import { paged } from '../database/paged.ts'
import { type Param, prepare } from '../database/prepare.ts'
import type { Database, PictureRow } from '../database/tables.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import type { EncodedPicture } from './encoded.ts'
import { type LogoSize, logoSizes, widths } from './sizes.ts'

/** Pictures and their files, in SQL. */

export async function findPicture(db: Database, id: string): Promise<PictureRow | undefined> {
  return await db.selectFrom('pictures').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The picture that an upload with this hash became. */
export async function findByHash(db: Database, sha256: string): Promise<PictureRow | undefined> {
  return await db
    .selectFrom('pictures')
    .innerJoin('picture_hashes as upload', 'upload.picture_id', 'pictures.id')
    .selectAll('pictures')
    .where('upload.sha256', '=', sha256)
    .executeTakeFirst()
}

/** The id of the picture whose address was this hash. */
export async function findMoved(db: Database, sha256: string): Promise<string | undefined> {
  const { rows } = await selectMoved(db, { sha256 })
  return rows[0]?.picture_id
}

const selectMoved = prepare((db, param: Param<{ sha256: string }>) =>
  db
    .selectFrom('picture_hashes')
    .select('picture_id')
    .where('sha256', '=', param('sha256'))
    .where('was_address', '=', 1),
)

/** Newest first. @param after the time and id of the last picture of the page before */
export async function listPictures(db: Database, limit: number, after?: readonly [time: string, id: string]) {
  const pictures = db.selectFrom('pictures').selectAll()
  return await paged(pictures, { order: ['created_at', 'id'], direction: 'desc', after, limit })
}

/** Bytes of all pictures. */
export async function measurePictures(db: Database): Promise<number> {
  const query = db
    .selectFrom('pictures')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('sum'))
  return Number((await query.executeTakeFirstOrThrow()).sum)
}

/**
 * Call it with the `content` lock, once it is known that there is no such picture. After the same file was deleted it
 * gets the id that it had, which versions of the past name. @param sha256 of the upload @param wanted an id that it gets if
 * no picture has or had it
 */
export async function insertPicture(
  transaction: Database,
  clock: Clock,
  sha256: string,
  { width, height, files }: EncodedPicture,
  uploadedBy: string,
  wanted: string | null,
): Promise<PictureRow> {
  const id = await pictureIdOf(transaction, sha256, wanted)
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  const row = { id, width, height, bytes, uploaded_by: uploadedBy, created_at: isoAfter(clock) }
  await transaction.insertInto('pictures').values(row).execute()
  for (const file of files) {
    const body = Buffer.from(file.bytes).toString('base64')
    const name = `${id}-${file.width}.${file.format}`
    await transaction.insertInto('picture_files').values({ name, picture_id: id, body }).execute()
  }
  return row
}

/** The picture with this id, if its largest file is this one: an archive comes back to where it was made. */
export async function findSame(db: Database, id: string, bytes: Uint8Array): Promise<PictureRow | undefined> {
  const picture = await findPicture(db, id)
  if (!picture) return undefined
  const stored = await readFile(db, `${id}-${widths(picture.width).at(-1)}.webp`)
  return stored?.equals(bytes) ? picture : undefined
}

async function pictureIdOf(transaction: Database, sha256: string, wanted: string | null): Promise<string> {
  const query = transaction.selectFrom('picture_hashes').select('picture_id').where('sha256', '=', sha256)
  const known = await query.executeTakeFirst()
  if (known) return known.picture_id
  const isFree = wanted !== null && (await isUnused(transaction, wanted))
  const picture_id = isFree ? wanted : randomBytes(16).toString('hex')
  await transaction.insertInto('picture_hashes').values({ sha256, picture_id, was_address: 0 }).execute()
  return picture_id
}

/** Also not by one that was deleted, which old versions name. */
async function isUnused(transaction: Database, id: string): Promise<boolean> {
  const query = transaction.selectFrom('picture_hashes').select('picture_id').where('picture_id', '=', id)
  return !(await query.limit(1).executeTakeFirst()) && !(await findPicture(transaction, id))
}

/** With its files. */
export async function deletePicture(transaction: Database, id: string): Promise<void> {
  await transaction.deleteFrom('pictures').where('id', '=', id).execute()
}

/** @param name as in its address @returns null if there is no such file */
export async function readFile(db: Database, name: string): Promise<Buffer | null> {
  const { rows } = await selectFile(db, { name })
  return rows[0] ? Buffer.from(rows[0].body, 'base64') : null
}

/** The size of a logo beside a name, for screens with two pixels for one. @returns null for a picture that is none */
export async function readLogo(db: Database, id: string): Promise<Buffer | null> {
  const size: LogoSize = 64
  return await readFile(db, `${id}-${size}.png`)
}

/** The name of the largest WebP of a picture. */
export async function findLargest(db: Database, id: string): Promise<string | null> {
  const files = db.selectFrom('picture_files').select('name').where('picture_id', '=', id)
  const names = (await files.where('name', 'like', '%.webp').execute()).map(({ name }) => name)
  return names.sort((one, other) => one.length - other.length || one.localeCompare(other)).at(-1) ?? null
}

const selectFile = prepare((db, param: Param<{ name: string }>) =>
  db.selectFrom('picture_files').select('body').where('name', '=', param('name')),
)

/** Whether a picture has the sizes of a logo. */
export async function isLogo(db: Database, id: string): Promise<boolean> {
  const name = `${id}-${logoSizes[0]}.png`
  const query = db.selectFrom('picture_files').select('name').where('name', '=', name)
  return (await query.executeTakeFirst()) !== undefined
}

/** A document that names a picture in its draft, or in a version that is or was published. */
export interface PictureUseRow {
  readonly pictureId: string
  readonly documentId: string
  readonly title: string
  readonly path: string
  readonly isLive: boolean
  /** By its draft, or by a version that is live, scheduled or waits for approval. */
  readonly isNeeded: boolean
}

/** The uses of these pictures, by path. Documents that were deleted show nothing. */
export async function listUses(
  db: Database,
  now: Date,
  pictureIds: readonly string[],
): Promise<PictureUseRow[]> {
  if (pictureIds.length === 0) return []
  const { rows } = await selectUses(now, pictureIds).execute(db)
  return rows.map(row => ({ ...row, isLive: Boolean(row.isLive), isNeeded: Boolean(row.isNeeded) }))
}

type Row = Omit<PictureUseRow, 'isLive' | 'isNeeded'> & { isLive: number; isNeeded: number }

function selectUses(now: Date, pictureIds: readonly string[]) {
  const time = now.toISOString()
  const ids = sql.join(pictureIds)
  const isLive = sql`publication.id = ${liveIdOf('version.document_id', time)}`
  return sql<Row>`
    select used.picture_id as "pictureId", document.id as "documentId", draft.title, document.path,
      max(used.is_live) as "isLive", max(used.is_needed) as "isNeeded"
    from (
      select picture_id, document_id, 0 as is_live, 1 as is_needed
      from content_draft_pictures where picture_id in (${ids})
      union all
      select named.picture_id, version.document_id, case when ${isLive} then 1 else 0 end,
        case when ${isLive} or ${isScheduled(time)} then 1 else 0 end
      from content_version_pictures as named
      join content_versions as version on version.id = named.version_id
      join content_publications as publication on publication.document_id = version.document_id
        and publication.version_id = version.id and publication.cancelled_at is null
      where named.picture_id in (${ids})
      union all
      select named.picture_id, review.document_id, 0, 1
      from content_version_pictures as named
      join content_reviews as review on review.version_id = named.version_id and review.outcome is null
      where named.picture_id in (${ids})
    ) as used
    join content_documents as document on document.id = used.document_id and document.archived_at is null
    join content_drafts as draft on draft.document_id = document.id
    group by used.picture_id, document.id, draft.title, document.path
    order by document.path`
}
