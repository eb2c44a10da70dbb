import { createHash } from 'node:crypto'
import { openDatabase } from '../../src/database/open.ts'
import { createPictureFiles } from '../../src/pictures/pictures.server.ts'

/** What a process of its own serves below `/pictures/`: run it with the folder of the data, the database and the path. */
const [dataDir = '', databaseUrl = '', publicUrl = '', path = ''] = process.argv.slice(2)
const everyPicture = { has: () => true, refresh: async () => {} }
const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null })
const file = await createPictureFiles(db, publicUrl, () => new Date(), everyPicture).fetch(path)
const body = Buffer.from(file?.plain.body ?? [])
const sha256 = createHash('sha256').update(body).digest('hex')
console.log(JSON.stringify({ sha256, etag: file?.plain.tag }))
await db.destroy()
