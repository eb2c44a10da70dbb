import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import type { NamedKey } from '../keys.ts'

/**
 * A backup is one file: a line of JSON, then the engine's own copy of the database compressed with gzip, then the
 * HMAC-SHA256 of everything before it. The key of the signature is derived from the secret key of the installation,
 * which is not in the file: see decisions/023-backup-file.md.
 */
const FORMAT = 2
/** Bytes of an HMAC-SHA256. */
const SIGNATURE_SIZE = 32
/** Bytes; the first line has about 150. */
const MAX_HEADER = 1000
/** Fast; a stronger compression saves a tenth of the file and takes four times as long. */
const LEVEL = 1
/** Bytes read at once. */
const CHUNK = 1 << 20

const Header = z.object({
  landfall: z.literal(FORMAT),
  engine: z.enum(['SQLite', 'PostgreSQL']),
  /** The last migration of the database. */
  migration: z.string(),
  createdAt: z.string(),
  /** Of the key that signed it. */
  keyId: z.string(),
})

export type BackupHeader = Pick<z.infer<typeof Header>, 'engine' | 'migration' | 'createdAt'>

/** A backup whose signature was verified. */
export interface BackupFile extends BackupHeader {
  /** Writes the copy of the database into `sink`. @throws {BrokenBackup} when the file has changed meanwhile */
  extractTo(sink: Writable, signal?: AbortSignal): Promise<void>
}

/** The file is no backup, is not whole, or was signed with another key; the message is for the operator. */
export class BrokenBackup extends Error {}

/**
 * Writes `data` into `file`, signed and readable by its owner only, and reads it back; there is no file before it is
 * complete but an empty one. @throws when the file exists
 */
export async function writeBackupFile(
  file: string,
  { id: keyId, key }: NamedKey,
  header: BackupHeader,
  data: Readable,
  signal?: AbortSignal,
): Promise<void> {
  const part = `${file}.part`
  const hmac = createHmac('sha256', key)
  const line = Buffer.from(`${JSON.stringify({ landfall: FORMAT, ...header, keyId })}\n`)
  await (await open(file, 'wx', 0o600)).close()
  try {
    await rm(part, { force: true })
    const sink = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
    const sign = (packed: AsyncIterable<Buffer>) => signed(line, packed, hmac)
    await pipeline(data, createGzip({ level: LEVEL }), sign, sink, signal ? { signal } : {})
    await openBackupFile(part, [{ id: keyId, key }])
    await rename(part, file)
  } catch (error) {
    for (const unready of [part, file]) await rm(unready, { force: true })
    throw error
  }
}

async function* signed(line: Buffer, packed: AsyncIterable<Buffer>, hmac: Hmac) {
  hmac.update(line)
  yield line
  for await (const chunk of packed) {
    hmac.update(chunk)
    yield chunk
  }
  yield hmac.digest()
}

/** Verifies all of a backup before anything is read out of it. @throws {BrokenBackup} */
export async function openBackupFile(file: string, keys: readonly NamedKey[]): Promise<BackupFile> {
  const { header, line, signature, size } = await readEnds(file)
  const key = keys.find(({ id }) => id === header.keyId)?.key
  if (!key)
    throw new BrokenBackup(
      `${file} was signed with another secret key. Put the secret key of the installation that wrote it into DATA_DIR, or into SECRET_KEY or SECRET_KEY_OLD.`,
    )

  async function* verified() {
    const hmac = createHmac('sha256', Buffer.from(key ?? '')).update(line)
    for await (const chunk of readBody(file, line.length, size - SIGNATURE_SIZE)) {
      hmac.update(chunk)
      yield chunk
    }
    if (timingSafeEqual(hmac.digest(), signature)) return
    throw new BrokenBackup(`${file} is damaged: it is not whole, or was changed after it was written`)
  }

  for await (const _ of verified());
  return {
    ...header,
    async extractTo(sink, signal) {
      await pipeline(verified, createGunzip(), sink, signal ? { signal } : {})
    },
  }
}

function readBody(file: string, start: number, end: number): ReadStream {
  return createReadStream(file, { start, end: end - 1, highWaterMark: CHUNK })
}

/** The first line and the signature. */
async function readEnds(file: string) {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(MAX_HEADER), 0, MAX_HEADER, 0)
    const line = buffer.subarray(0, buffer.indexOf('\n') + 1)
    const header = Header.safeParse(parse(line.toString()))
    if (!header.success || size <= line.length + SIGNATURE_SIZE)
      throw new BrokenBackup(`${file} is not a backup of this version of Landfall`)
    const { buffer: signature } = await handle.read(
      Buffer.alloc(SIGNATURE_SIZE),
      0,
      SIGNATURE_SIZE,
      size - SIGNATURE_SIZE,
    )
    return { header: header.data, line, signature, size }
  } finally {
    await handle.close()
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
