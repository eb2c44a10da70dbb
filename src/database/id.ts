import { randomFillSync } from 'node:crypto'

/**
 * A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then 74 random bits. Its text sorts by time of creation, so a
 * primary key is also the order of a list and the position of a page.
 */
export function newId(now: Date): string {
  const bytes = sixteenRandomBytes()
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Random bytes are fetched for many ids at once: to ask for sixteen costs nearly what it costs to ask for thousands. */
const pool = Buffer.alloc(16 * 256)
let used = pool.length

function sixteenRandomBytes(): Buffer {
  if (used === pool.length) used = randomFillSync(pool).length - pool.length
  used += 16
  return pool.subarray(used - 16, used)
}
