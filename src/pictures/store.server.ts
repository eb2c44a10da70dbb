import { type Clock, isoAfter } from '../clock.ts'
import type { PictureRow } from '../database/picture-tables.ts'
import { type Param, prepare } from '../database/prepare.ts'
import type { Database } from '../database/tables.ts'
import type { EncodedPicture } from './encoded.ts'

/** Pictures and their files, in SQL. */

export async function findPicture(db: Database, id: string): Promise<PictureRow | undefined> {
  return await db.selectFrom('pictures').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Newest first. @param after the time and id of the last picture of the page before */
export async function listPictures(
  db: Database,
  limit: number,
  after?: Pick<PictureRow, 'created_at' | 'id'>,
): Promise<PictureRow[]> {
  return await db
    .selectFrom('pictures')
    .selectAll()
    .$if(after !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(after?.created_at ?? '', after?.id ?? '')),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Bytes of all pictures. */
export async function measurePictures(db: Database): Promise<number> {
  const query = db
    .selectFrom('pictures')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('sum'))
  return Number((await query.executeTakeFirstOrThrow()).sum)
}

/** Call it with the lock of `lockContent`, once it is known that there is no such picture. */
export async function insertPicture(
  transaction: Database,
  clock: Clock,
  id: string,
  { width, height, files }: EncodedPicture,
  uploadedBy: string,
): Promise<PictureRow> {
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

/** With its files. */
export async function deletePicture(transaction: Database, id: string): Promise<void> {
  await transaction.deleteFrom('pictures').where('id', '=', id).execute()
}

/** @param name as in its address @returns null if there is no such file */
export async function readFile(db: Database, name: string): Promise<Buffer | null> {
  const { rows } = await selectFile(db, { name })
  return rows[0] ? Buffer.from(rows[0].body, 'base64') : null
}

const selectFile = prepare((db, param: Param<{ name: string }>) =>
  db.selectFrom('picture_files').select('body').where('name', '=', param('name')),
)
