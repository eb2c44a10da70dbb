import { createHash, createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import type { NamedKey } from '../platform/keys.ts'

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
/** Bytes that are read and compared at once. */
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

/** Replaces an empty file by `data`, signed and readable by its owner only, once it is complete and was read back. */
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
  try {
    await rm(part, { force: true })
    const sink = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
    const sign = (packed: AsyncIterable<Buffer>) => signed(line, packed, hmac)
    await pipeline(data, createGzip({ level: LEVEL }), sign, sink, signal ? { signal } : {})
    await openBackupFile(part, [{ id: keyId, key }])
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
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

  const body = () => readChunks(file, line.length, size - SIGNATURE_SIZE)
  const hmac = createHmac('sha256', key).update(line)
  const digests: Buffer[] = []
  for await (const chunk of body()) {
    hmac.update(chunk)
    digests.push(digestOf(chunk))
  }
  if (!timingSafeEqual(hmac.digest(), signature)) throw damaged(file)

  /** Every chunk is what was verified, or is not passed on: somebody may write to the file meanwhile. */
  async function* verified() {
    const expected = digests.values()
    for await (const chunk of body()) {
      if (!expected.next().value?.equals(digestOf(chunk))) throw damaged(file)
      yield chunk
    }
  }

  return {
    ...header,
    async extractTo(sink, signal) {
      await pipeline(verified, createGunzip(), sink, signal ? { signal } : {})
    },
  }
}

function damaged(file: string): BrokenBackup {
  return new BrokenBackup(`${file} is damaged: it is not whole, or was changed after it was written`)
}

function digestOf(chunk: Buffer): Buffer {
  return createHash('sha256').update(chunk).digest()
}

/** Chunks of the same sizes whenever they are read. What a file lacks that has become shorter is zeros. */
async function* readChunks(file: string, start: number, end: number) {
  await using handle = await open(file)
  for (let at = start; at < end; at += CHUNK) yield await readAt(handle, at, Math.min(CHUNK, end - at))
}

/** One read may return less than it was asked for. */
async function readAt(handle: FileHandle, position: number, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size)
  for (let filled = 0; filled < size; ) {
    const { bytesRead } = await handle.read(buffer, filled, size - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer
}

/** The first line and the signature. */
async function readEnds(file: string) {
  // To open a pipe would wait for somebody who writes to it.
  if (!(await stat(file)).isFile()) throw new BrokenBackup(`${file} is not a file`)
  await using handle = await open(file)
  const { size } = await handle.stat()
  const start = await readAt(handle, 0, MAX_HEADER)
  const line = start.subarray(0, start.indexOf('\n') + 1)
  const header = Header.safeParse(parse(line.toString()))
  if (!header.success || size <= line.length + SIGNATURE_SIZE)
    throw new BrokenBackup(`${file} is not a backup of this version of Landfall`)
  const signature = await readAt(handle, size - SIGNATURE_SIZE, SIGNATURE_SIZE)
  return { header: header.data, line, signature, size }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Renames a file, but never over another one, as `rename` does. @throws when there is one */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? new Error(`${to} exists already. Move it away, then try again.`) : error
  }
  await rm(from)
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
