import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { tablesIn } from './archived-tables.ts'
import { BrokenArchive, checksum, type Row, type Source, toLine } from './source.ts'

/**
 * An archive is a compressed file of JSON lines: a header, then for each table its rows and a line with their
 * count and digest. It holds what the database holds: names, emails, password hashes, and secret settings
 * as they are encrypted. The key that opens those is not in it.
 */
const FORMAT = 1
/** Fast; a stronger compression saves a tenth of the file and takes four times as long. */
const LEVEL = 1
const BATCH = 500

/** Called after each batch of rows, to show progress. */
export type Progress = (table: string, rows: number) => void

/** Writes all of `source` into `file`, atomically. @throws when the file exists */
export async function writeArchive(
  source: Source,
  file: string,
  progress: Progress,
  signal?: AbortSignal,
): Promise<void> {
  const part = `${file}.part`
  await (await open(file, 'wx', 0o600)).close()
  try {
    const lines = Readable.from(toLines(source, progress))
    const sink = createWriteStream(part, { mode: 0o600, flush: true })
    await pipeline(lines, createGzip({ level: LEVEL }), sink, signal ? { signal } : {})
    await rename(part, file)
  } catch (error) {
    await rm(file, { force: true })
    await rm(part, { force: true })
    throw error
  }
}

async function* toLines(source: Source, progress: Progress): AsyncIterable<string> {
  yield `${JSON.stringify({ landfall: FORMAT, migration: source.migration })}\n`
  for (const table of tablesIn(source.migration)) {
    const seen = checksum()
    let rows = 0
    for await (const batch of source.rows(table)) {
      const lines = batch.map(toLine)
      for (const line of lines) seen.add(line)
      rows += batch.length
      progress(table.name, rows)
      yield lines.join('')
    }
    yield `${JSON.stringify({ endOf: table.name, ...seen.sum() })}\n`
  }
}

/** Reads an archive back. @throws {BrokenArchive} when it is not an archive */
export async function openArchive(file: string): Promise<Source> {
  const packed = createReadStream(file)
  const input = packed.pipe(createGunzip())
  // A read error must reach the reader of the unzipped stream.
  packed.on('error', error => input.destroy(error))
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()

  async function next(): Promise<Record<string, unknown>> {
    try {
      const { done, value } = await lines.next()
      if (!done) return Object(JSON.parse(value))
    } catch (error) {
      throw new BrokenArchive(`${file} cannot be read: it is damaged, or no archive`, { cause: error })
    }
    throw new BrokenArchive(`${file} ends too soon: it was not written to its end`)
  }

  const head = await next()
  if (head.landfall !== FORMAT || typeof head.migration !== 'string')
    throw new BrokenArchive(`${file} is not an archive of Landfall`)
  return {
    migration: head.migration,
    async *rows({ name }) {
      const seen = checksum()
      let batch: Row[] = []
      let line = await next()
      for (; !('endOf' in line); line = await next()) {
        const row = readRow(line, file)
        seen.add(toLine(row))
        batch.push(row)
        if (batch.length < BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
      const { rows, sha256 } = seen.sum()
      if (line.endOf !== name || line.rows !== rows || line.sha256 !== sha256)
        throw new BrokenArchive(`${file} is damaged: what it holds of ${name} is not what was written`)
    },
    async close() {
      packed.destroy()
    },
  }
}

function readRow(line: Record<string, unknown>, file: string): Row {
  const row: Record<string, string | number | null> = {}
  for (const [column, value] of Object.entries(line)) {
    if (value !== null && typeof value !== 'string' && typeof value !== 'number')
      throw new BrokenArchive(`${file} is damaged: ${column} is no value of a row`)
    row[column] = value
  }
  return row
}
