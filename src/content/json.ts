export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** A list that was edited: its items have ids, by which they are the same wherever they are. */
export type Items = readonly JsonObject[]

export function isItems(value: unknown): value is Items {
  return isList(value) && value.every(item => idOf(item) !== null)
}

export const idsOf = (items: Items) => items.map(item => String(item.id))

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

export interface Part {
  readonly path: string
  readonly key: string
  readonly value: unknown
}

/** Levels. Bodies have fewer than twenty; what is deeper is not shown. */
export const MAX_DEPTH = 60

/** Every part of a body with its path, in the order of the page. Not recursive: a page has thousands of parts. */
export function* walk(body: unknown): Iterable<Part> {
  const left = [{ path: '', key: '', value: body, depth: 0 }]
  for (let part = left.pop(); part; part = left.pop()) {
    yield part
    const { path, value, depth } = part
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) continue
    for (const [key, inside] of Object.entries(value).reverse())
      left.push({ path: joinPath(path, key), key, value: inside, depth: depth + 1 })
  }
}

/**
 * Paths within a body, such as `slides.0.title`, as in the errors of the server. A stable path names items of lists by id
 * instead, `slides.#slide-1.title`, so that it still leads to the same field after items are moved.
 */

export const joinPath = (path: string, part: string | number) => (path ? `${path}.${part}` : String(part))

export function valueAt(body: unknown, path: string): unknown {
  return partsOf(path).reduce(childOf, body)
}

/** A body in which the value at a path is another one, or gone if that is undefined. What is not on the path stays the same object. */
export function withValue(body: JsonObject, path: string, value: unknown): JsonObject {
  const changed = replace(body, partsOf(path), value)
  return isObject(changed) ? changed : body
}

function replace(parent: unknown, [part, ...rest]: readonly string[], value: unknown): unknown {
  if (part === undefined) return value
  const child = replace(childOf(parent, part), rest, value)
  if (isList(parent))
    return child === undefined ? parent.toSpliced(Number(part), 1) : parent.with(Number(part), child)
  if (!isObject(parent)) return parent
  const { [part]: _, ...others } = parent
  return child === undefined ? others : { ...parent, [part]: child }
}

/** The item of a list, or the field of an object. The id of a column may be the name of something that every object has. */
export function childOf(parent: unknown, part: string): unknown {
  if (isList(parent)) return parent[Number(part)]
  return isObject(parent) && Object.hasOwn(parent, part) ? parent[part] : undefined
}

export function toStablePath(body: unknown, path: string): string {
  let parent = body
  const stable = partsOf(path).map(part => {
    const child = childOf(parent, part)
    const id = isList(parent) ? idOf(child) : null
    parent = child
    return id === null ? part : `#${id}`
  })
  return stable.join('.')
}

/** The path that a stable path leads to in this body, or null when an item on it is gone. */
export function fromStablePath(body: unknown, stable: string): string | null {
  let parent = body
  const path: string[] = []
  for (const part of partsOf(stable)) {
    const found = isList(parent) && part.startsWith('#') ? indexOfId(parent, part.slice(1)) : part
    if (found === null) return null
    path.push(found)
    parent = childOf(parent, found)
  }
  return path.join('.')
}

function indexOfId(list: readonly unknown[], id: string): string | null {
  const at = list.findIndex(item => idOf(item) === id)
  return at < 0 ? null : String(at)
}

const partsOf = (path: string) => (path === '' ? [] : path.split('.'))
