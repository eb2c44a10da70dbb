/**
 * Reads and writes ZIP archives in the browser: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT. Of an archive
 * only its directory and the entries that are asked for are read, so it may be larger than the memory. A name is only looked
 * up: nothing is written anywhere.
 */

/** Bytes of the directory: of 65,535 entries, which is all that an archive without ZIP64 has, with long names. */
const MAX_DIRECTORY = 32 * 1024 * 1024
/** Bytes in which the end of an archive is looked for: its record, and the longest comment. */
const MAX_END = 22 + 65_535
const END_SIGN = 0x06054b50
const ENTRY_SIGN = 0x02014b50
const LOCAL_SIGN = 0x04034b50

/** Why a file cannot be used, in words for staff. */
export class UnreadableFile extends Error {}

interface Entry {
  readonly method: number
  readonly isEncrypted: boolean
  readonly compressed: number
  readonly offset: number
}

export interface Archive {
  /** The names of the files in it. */
  readonly names: readonly string[]
  /** @returns null if there is no such file @throws {UnreadableFile} when it is damaged or has more bytes than `limit` */
  read(name: string, limit: number): Promise<Uint8Array<ArrayBuffer> | null>
}

/** @throws {UnreadableFile} */
export async function openArchive(file: Blob): Promise<Archive> {
  const entries = await readDirectory(file)
  return {
    names: [...entries.keys()],
    async read(name, limit) {
      const entry = entries.get(name)
      return entry ? await readEntry(file, name, entry, limit) : null
    },
  }
}

const viewOf = async (blob: Blob) => new DataView(await blob.arrayBuffer())

async function readDirectory(file: Blob): Promise<Map<string, Entry>> {
  const tail = await viewOf(file.slice(Math.max(0, file.size - MAX_END)))
  let at = tail.byteLength - 22
  while (at >= 0 && tail.getUint32(at, true) !== END_SIGN) at--
  if (at < 0) throw new UnreadableFile('This is not a ZIP archive, or its end is missing.')
  const [count, size, start] = [
    tail.getUint16(at + 10, true),
    tail.getUint32(at + 12, true),
    tail.getUint32(at + 16, true),
  ]
  if (count === 0xffff || start === 0xffffffff)
    throw new UnreadableFile('This archive is too large. Make several of it, such as one for each year.')
  if (size > MAX_DIRECTORY || start + size > file.size) throw new UnreadableFile('This archive is damaged.')
  return readEntries(await viewOf(file.slice(start, start + size)))
}

function readEntries(view: DataView): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  const decoder = new TextDecoder()
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === ENTRY_SIGN; ) {
    const [name, extra, comment] = [28, 30, 32].map(field => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ]
    const end = at + 46 + name
    if (end > view.byteLength) throw new UnreadableFile('This archive is damaged.')
    const text = decoder.decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, name))
    if (!text.endsWith('/'))
      entries.set(text.replaceAll('\\', '/'), {
        isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
        method: view.getUint16(at + 10, true),
        compressed: view.getUint32(at + 20, true),
        offset: view.getUint32(at + 42, true),
      })
    at = end + extra + comment
  }
  return entries
}

async function readEntry(file: Blob, name: string, entry: Entry, limit: number) {
  const { method, isEncrypted, compressed, offset } = entry
  if (isEncrypted) throw new UnreadableFile(`${name} is encrypted.`)
  const head = await viewOf(file.slice(offset, offset + 30))
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL_SIGN)
    throw new UnreadableFile(`${name} is damaged.`)
  const start = offset + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const data = file.slice(start, start + compressed)
  if (method === 0) return await collect(data.stream(), name, limit)
  if (method !== 8) throw new UnreadableFile(`${name} is compressed in a way that cannot be read.`)
  return await collect(data.stream().pipeThrough(new DecompressionStream('deflate-raw')), name, limit)
}

/** The size that an archive states may be a lie, so what arrives is counted. */
async function collect(stream: ReadableStream<Uint8Array>, name: string, limit: number) {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length
      if (length > limit) throw new UnreadableFile(`${name} is too large.`)
      parts.push(new Uint8Array(next.value))
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(`${name} is damaged.`)
  } finally {
    reader.cancel().catch(() => {})
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** Bytes of an archive that is written: what four-byte places can say. */
const MAX_ARCHIVE = 0xffff_ffff

/** Writes an archive, one file after the other. The files are not compressed: pictures are already, and texts are small. */
export function createArchive() {
  const parts: Blob[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0

  return {
    add(name: string, content: string | Uint8Array<ArrayBuffer>) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      const path = new TextEncoder().encode(name)
      const common = describe(bytes, path.length)
      const local = record([[4, LOCAL_SIGN], ...common, [2, 0]])
      if (offset + local.length + bytes.length > MAX_ARCHIVE)
        throw new UnreadableFile('The archive is too large.')
      directory.push(
        record([[4, ENTRY_SIGN], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]),
        path,
      )
      parts.push(new Blob([local, path, bytes]))
      offset += local.length + path.length + bytes.length
    },
    finish(): Blob {
      const size = directory.reduce((sum, part) => sum + part.length, 0)
      const count = directory.length / 2
      const end = record([
        [4, END_SIGN],
        [2, 0],
        [2, 0],
        [2, count],
        [2, count],
        [4, size],
        [4, offset],
        [2, 0],
      ])
      return new Blob([...parts, ...directory, end], { type: 'application/zip' })
    },
  }
}

type Place = readonly [bytes: 2 | 4, value: number]

/** What the head of a file and its place in the directory have in common: version, UTF-8, stored, 1 January 2020. */
function describe(bytes: Uint8Array, nameLength: number): Place[] {
  const day = (40 << 9) | (1 << 5) | 1
  const size: Place = [4, bytes.length]
  return [[2, 20], [2, 0x0800], [2, 0], [2, 0], [2, day], [4, crc32(bytes)], size, size, [2, nameLength]]
}

function record(places: readonly Place[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(places.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of places) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

const table = Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0)
  return ~sum >>> 0
}

/** Has the browser save a file. */
export function saveFile(name: string, content: Blob) {
  const link = Object.assign(document.createElement('a'), {
    download: name,
    href: URL.createObjectURL(content),
  })
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
