/** Bytes of JSON that the details of one entry may take; the rest is left out. */
const MAX_BYTES = 16 * 1024
/** Levels of nested objects and lists. */
const MAX_DEPTH = 8
/** Characters of a key. */
const MAX_KEY_LENGTH = 100
/** Bytes reserved for truncation marks, and for closing the objects that are still open. */
const RESERVE = 256
/** Bytes; no number, boolean or null takes more. */
const MAX_UNTRUNCATED = 26
const ELLIPSIS = '…'

interface Budget {
  /** Bytes. */
  left: number
}

/**
 * Copies the details of a log entry so that they are safe to write anywhere: plain, well-formed, at most 16 KiB of JSON
 * and eight levels deep. Never throws, because logging must not fail the request that it describes.
 */
export function truncate(details: object): Record<string, unknown> {
  try {
    return truncateObject(details, 1, { left: MAX_BYTES - RESERVE })
  } catch {
    // A getter or a proxy that throws.
    return { unreadable: true }
  }
}

/** @param max characters */
export function truncateText(text: string, max: number): string {
  const clean = text.slice(0, max).toWellFormed().replaceAll('\0', '')
  return text.length > max ? `${clean}${ELLIPSIS}` : clean
}

function truncateValue(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return truncateToBudget(value, budget)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
    budget.left -= MAX_UNTRUNCATED
    return value
  }
  if (typeof value !== 'object') return truncateToBudget(String(value), budget)
  if (value instanceof Date) return truncateToBudget(String(value.toJSON()), budget)
  if (value instanceof Error) return truncateToBudget(value.stack ?? value.message, budget)
  if (depth > MAX_DEPTH) return truncateToBudget(ELLIPSIS, budget)
  return Array.isArray(value) ? truncateList(value, depth, budget) : truncateObject(value, depth, budget)
}

function truncateList(list: readonly unknown[], depth: number, budget: Budget): unknown[] {
  const truncated: unknown[] = []
  budget.left -= 2
  for (const value of list) {
    if (budget.left <= 0) return [...truncated, ELLIPSIS]
    budget.left -= 1
    truncated.push(truncateValue(value, depth + 1, budget))
  }
  return truncated
}

function truncateObject(object: object, depth: number, budget: Budget): Record<string, unknown> {
  const truncated: Record<string, unknown> = {}
  budget.left -= 2
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    const name = truncateKey(key)
    budget.left -= bytes(name) + 2
    if (budget.left <= 0) return { ...truncated, [ELLIPSIS]: ELLIPSIS }
    truncated[name] = truncateValue(value, depth + 1, budget)
  }
  return truncated
}

/** Assigning to `__proto__` would replace the prototype of the copy. */
function truncateKey(key: string): string {
  return key === '__proto__' ? '[__proto__]' : truncateText(key, MAX_KEY_LENGTH)
}

/** Returns as much of a text as the budget allows, counted as JSON with its escapes. */
function truncateToBudget(text: string, budget: Budget): string {
  let max = Math.max(0, budget.left)
  let truncated = truncateText(text, max)
  while (max > 0 && bytes(truncated) > budget.left) {
    max = Math.min(max - 1, Math.floor((truncated.length * budget.left) / bytes(truncated)))
    truncated = truncateText(text, max)
  }
  budget.left -= bytes(truncated)
  return truncated
}

function bytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
