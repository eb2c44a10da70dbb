/** Bytes of JSON that the details of one line may take; the rest is left out. */
const MAX_BYTES = 16 * 1024
/** Levels of objects and lists in one another. */
const MAX_DEPTH = 8
/** Characters of a key. */
const MAX_KEY_LENGTH = 100
/** Bytes kept back for the marks that something was cut, and for what closes the objects in hand. */
const RESERVE = 256
/** Bytes, at least as many as any number, `true` or `null` takes. */
const MAX_UNTRUNCATED = 26
const CUT = '…'

interface Budget {
  /** Bytes. */
  left: number
}

/**
 * A copy of what a line was given that is safe to write anywhere: plain, well-formed, at most 16 KiB of JSON and eight
 * levels deep. Never throws, whatever it is given, because a line must not fail the request that it tells of.
 */
export function truncate(details: object): Record<string, unknown> {
  try {
    return truncateObject(details, 1, { left: MAX_BYTES - RESERVE })
  } catch {
    // A getter or a proxy that throws.
    return { unreadable: true }
  }
}

/** @param most characters */
export function truncateText(text: string, most: number): string {
  const clean = text.slice(0, most).toWellFormed().replaceAll('\0', '')
  return text.length > most ? `${clean}${CUT}` : clean
}

function truncateValue(value: unknown, depth: number, room: Budget): unknown {
  if (typeof value === 'string') return truncateToBudget(value, room)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
    room.left -= MAX_UNTRUNCATED
    return value
  }
  if (typeof value !== 'object') return truncateToBudget(String(value), room)
  if (value instanceof Date) return truncateToBudget(String(value.toJSON()), room)
  if (value instanceof Error) return truncateToBudget(value.stack ?? value.message, room)
  if (depth > MAX_DEPTH) return truncateToBudget(CUT, room)
  return Array.isArray(value) ? truncateList(value, depth, room) : truncateObject(value, depth, room)
}

function truncateList(list: readonly unknown[], depth: number, room: Budget): unknown[] {
  const clipped: unknown[] = []
  room.left -= 2
  for (const value of list) {
    if (room.left <= 0) return [...clipped, CUT]
    room.left -= 1
    clipped.push(truncateValue(value, depth + 1, room))
  }
  return clipped
}

function truncateObject(object: object, depth: number, room: Budget): Record<string, unknown> {
  const clipped: Record<string, unknown> = {}
  room.left -= 2
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    const name = truncateKey(key)
    room.left -= bytes(name) + 2
    if (room.left <= 0) return { ...clipped, [CUT]: CUT }
    clipped[name] = truncateValue(value, depth + 1, room)
  }
  return clipped
}

/** Assigned to an object, this one name would replace what the object inherits from. */
function truncateKey(key: string): string {
  return key === '__proto__' ? '[__proto__]' : truncateText(key, MAX_KEY_LENGTH)
}

/** As much of a text as there is room for, counted as JSON spells it. */
function truncateToBudget(text: string, room: Budget): string {
  let most = Math.max(0, room.left)
  let clipped = truncateText(text, most)
  while (most > 0 && bytes(clipped) > room.left) {
    most = Math.min(most - 1, Math.floor((clipped.length * room.left) / bytes(clipped)))
    clipped = truncateText(text, most)
  }
  room.left -= bytes(clipped)
  return clipped
}

function bytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
