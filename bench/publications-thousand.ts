import { currentSchema } from '../src/content/bodies.ts'
import { insertDocument, insertPublication, insertVersion } from '../src/content/documents.server.ts'
import { lock } from '../src/database/locks.ts'
import { openDatabase } from '../src/database/open.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { systemClock } from '../src/platform/clock.ts'
import { type Measured, startLandfall } from './process.ts'
import { markerOf } from './publications-marker.ts'
import { newFolder, pageBody } from './publications-nodes.ts'
import { median } from './table.ts'

const PAGES = 1000
/** Milliseconds from the start of the process until the home page is served. */
const MAX_START = 1000
const STARTS = 3
/** Megabytes, as in the measurement of memory under load. */
const MAX_MEMORY = 200

/** Memory and start of a site with a thousand pages, beside one that has none. */
export async function measureThousand(): Promise<{ rows: string[][]; isGood: boolean }> {
  const small = await startAgain(await newFolder())
  const folder = await newFolder()
  await (await startLandfall({ DATA_DIR: folder })).stop()
  await addPages(folder)
  const large = await startAgain(folder, readEach)
  const isGood = large.start <= MAX_START && large.memory <= MAX_MEMORY
  const describe = (name: string, { start, memory, served }: typeof large) => [
    name,
    `${start.toFixed(0)} ms`,
    `${memory.toFixed(0)} MB`,
    String(served),
  ]
  return {
    isGood,
    rows: [
      ['', 'start', 'memory', 'pages served'],
      describe('no pages', small),
      describe(`${PAGES} pages`, large),
      ['at most', `${MAX_START} ms`, `${MAX_MEMORY} MB`, isGood ? 'good' : 'BAD'],
    ],
  }
}

/** Starts it a few times; the last time its pages are read. */
async function startAgain(folder: string, work: (server: Measured) => Promise<number> = async () => 0) {
  const starts: number[] = []
  let memory = 0
  let served = 0
  for (let count = 0; count <= STARTS; count++) {
    const began = performance.now()
    const server = await startLandfall({ DATA_DIR: folder })
    // The first start writes the database.
    if (count > 0) starts.push(performance.now() - began)
    if (count === STARTS) {
      served = await work(server)
      memory = server.memory()
    }
    await server.stop()
  }
  return { start: median(starts), memory, served }
}

const pathOf = (number: number) => `/page-${number}`

async function addPages(dataDir: string) {
  const db = await openDatabase({ dataDir, databaseUrl: null })
  const author = { id: null, name: 'Bench' }
  await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    for (let number = 1; number <= PAGES; number++) {
      const path = pathOf(number)
      const stored = {
        body: JSON.stringify(pageBody(path, markerOf(path, number))),
        schema: currentSchema('page'),
      }
      const document = { kind: 'page', path, title: markerOf(path, number), ...stored } as const
      const documentId = await insertDocument(transaction, systemClock, document, author)
      const version = { documentId, path, ...stored, note: '', findings: '[]', editors: [] }
      const { id } = await insertVersion(transaction, systemClock, version, author)
      const now = systemClock().toISOString()
      await insertPublication(transaction, systemClock, documentId, id, now, author)
    }
  })
  await db.destroy()
}

/** @returns how many of the pages were served */
async function readEach({ url }: Measured): Promise<number> {
  let served = 0
  for (let number = 1; number <= PAGES; number++) {
    const headers = { 'x-forwarded-for': `10.0.${number >> 8}.${number & 255}` }
    const reply = await fetch(`${url}${pathOf(number)}`, { headers })
    await reply.arrayBuffer()
    if (reply.ok) served++
  }
  return served
}
