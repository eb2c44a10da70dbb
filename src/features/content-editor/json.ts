/** The parts of a body, which is JSON. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** The id of an item of a list, or null for what has none. */
export function idOf(item: unknown): string | null {
  return isObject(item) && typeof item.id === 'string' ? item.id : null
}

/** Whether two values are the same JSON, whatever the order of the keys. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, at) => isEqual(item, b[at]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => key in b && isEqual(a[key], b[key]))
}
