/** Bytes of JSON that the details of one line may take; the rest is left out. */
const MOST_BYTES = 16 * 1024
/** Levels of objects and lists in one another. */
const DEEPEST = 8
/** Characters of a key. */
const LONGEST_KEY = 100
/** Bytes kept back for the marks that something was cut, and for what closes the objects in hand. */
const RESERVE = 256
/** Bytes, at least as many as any number, `true` or `null` takes. */
const LARGEST_PLAIN = 26
const CUT = '…'

interface Room {
  /** Bytes. */
  left: number
}

/**
 * A copy of what a line was given that is safe to write anywhere: plain, well-formed, at most 16 KiB of JSON and eight
 * levels deep. Never throws, whatever it is given, because a line must not fail the request that it tells of.
 */
export function clip(details: object): Record<string, unknown> {
  try {
    return clipObject(details, 1, { left: MOST_BYTES - RESERVE })
  } catch {
    // A getter or a proxy that throws.
    return { unreadable: true }
  }
}

/** @param most characters */
export function clipText(text: string, most: number): string {
  const clean = text.slice(0, most).toWellFormed().replaceAll('\0', '')
  return text.length > most ? `${clean}${CUT}` : clean
}

function clipValue(value: unknown, depth: number, room: Room): unknown {
  if (typeof value === 'string') return clipToRoom(value, room)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
    room.left -= LARGEST_PLAIN
    return value
  }
  if (typeof value !== 'object') return clipToRoom(String(value), room)
  if (value instanceof Date) return clipToRoom(String(value.toJSON()), room)
  if (value instanceof Error) return clipToRoom(value.stack ?? value.message, room)
  if (depth > DEEPEST) return clipToRoom(CUT, room)
  return Array.isArray(value) ? clipList(value, depth, room) : clipObject(value, depth, room)
}

function clipList(list: readonly unknown[], depth: number, room: Room): unknown[] {
  const clipped: unknown[] = []
  room.left -= 2
  for (const value of list) {
    if (room.left <= 0) return [...clipped, CUT]
    room.left -= 1
    clipped.push(clipValue(value, depth + 1, room))
  }
  return clipped
}

function clipObject(object: object, depth: number, room: Room): Record<string, unknown> {
  const clipped: Record<string, unknown> = {}
  room.left -= 2
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    const name = clipKey(key)
    room.left -= bytes(name) + 2
    if (room.left <= 0) return { ...clipped, [CUT]: CUT }
    clipped[name] = clipValue(value, depth + 1, room)
  }
  return clipped
}

/** Assigned to an object, this one name would replace what the object inherits from. */
function clipKey(key: string): string {
  return key === '__proto__' ? '[__proto__]' : clipText(key, LONGEST_KEY)
}

/** As much of a text as there is room for, counted as JSON spells it. */
function clipToRoom(text: string, room: Room): string {
  let most = Math.max(0, room.left)
  let clipped = clipText(text, most)
  while (most > 0 && bytes(clipped) > room.left) {
    most = Math.min(most - 1, Math.floor((clipped.length * room.left) / bytes(clipped)))
    clipped = clipText(text, most)
  }
  room.left -= bytes(clipped)
  return clipped
}

function bytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
