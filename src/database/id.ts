import { randomFillSync } from 'node:crypto'

/**
 * A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then 74 random bits. Its text sorts by time of creation, so a
 * primary key is also the order of a list and the position of a page.
 */
export function newId(now: Date): string {
  const bytes = pooledRandomBytes(16)
  return formatUuid(bytes, now, bytes.readUInt16BE(6) & 0x0fff)
}

/** Ids of one writer that sort as they were made, also within a millisecond: there the twelve bits after it count. */
export function idsInOrder(): (now: Date) => string {
  let last = 0
  let count = 0
  return now => {
    count = now.getTime() === last ? Math.min(count + 1, 0x0fff) : 0
    last = now.getTime()
    return formatUuid(pooledRandomBytes(16), now, count)
  }
}

/** Sorts before every id made from this millisecond on, and after all that were made earlier. */
export function firstIdAt(time: Date): string {
  return formatUuid(Buffer.alloc(16), time, 0)
}

function formatUuid(bytes: Buffer, time: Date, afterTime: number): string {
  bytes.writeUIntBE(time.getTime(), 0, 6)
  bytes.writeUInt16BE(0x7000 | afterTime, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Fetched for many at once: to ask for sixteen costs nearly what it costs to ask for thousands. */
const pool = Buffer.alloc(16 * 256)
let used = pool.length

/**
 * Part of the pool: copied before the next call, which may fill it again. It is not cleared, so no secret is made of it.
 * @param count at most 4,096
 */
export function pooledRandomBytes(count: number): Buffer {
  if (used + count > pool.length) used = randomFillSync(pool).length - pool.length
  used += count
  return pool.subarray(used - count, used)
}
