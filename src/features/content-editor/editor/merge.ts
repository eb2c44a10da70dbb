import * as z from 'zod/mini'
import {
  fromStablePath,
  type Items,
  idsOf,
  isEqual,
  isItems,
  isObject,
  type JsonObject,
  joinPath,
  withValue,
} from '../../../content/json.ts'
import { isPictureUse } from '../inputs/picture-parts.ts'

/** A field that both have changed, or an item that one has changed and the other removed. */
export const Conflict = z.object({
  /** A stable path: items of lists are named by id. */
  path: z.string(),
  /** Undefined for what was removed, which JSON leaves out. */
  mine: z.optional(z.unknown()),
  theirs: z.optional(z.unknown()),
})
export type Conflict = z.output<typeof Conflict>

export interface Merged<Value = unknown> {
  /** With mine where there is a conflict, and with the item where only one has removed it. */
  readonly value: Value
  readonly conflicts: readonly Conflict[]
}

/**
 * Merges what two people have made of one body. Objects are merged by key and lists by the ids of their items, so that an
 * item that was moved is the same item. Only a field that both have changed is a conflict.
 * @param base what both started from
 */
export function mergeBodies(base: JsonObject, mine: JsonObject, theirs: JsonObject): Merged<JsonObject> {
  const { value, conflicts } = merge('', base, mine, theirs)
  return { value: isObject(value) ? value : mine, conflicts }
}

function merge(path: string, base: unknown, mine: unknown, theirs: unknown): Merged {
  if (isEqual(mine, theirs) || isEqual(base, theirs)) return { value: mine, conflicts: [] }
  if (isEqual(base, mine)) return { value: theirs, conflicts: [] }
  if (isObject(base) && isObject(mine) && isObject(theirs) && isOneKind([base, mine, theirs]))
    return mergeObjects(path, base, mine, theirs)
  if (isItems(base) && isItems(mine) && isItems(theirs)) return mergeLists(path, base, mine, theirs)
  return { value: mine ?? theirs, conflicts: [{ path, mine, theirs }] }
}

function mergeObjects(path: string, base: JsonObject, mine: JsonObject, theirs: JsonObject): Merged {
  const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)])
  const merged = [...keys].map(
    key => [key, merge(joinPath(path, key), base[key], mine[key], theirs[key])] as const,
  )
  return {
    // What both agree to remove, or one removes and the other leaves as it was, has no value.
    value: Object.fromEntries(
      merged.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])),
    ),
    conflicts: merged.flatMap(([, { conflicts }]) => conflicts),
  }
}

function mergeLists(path: string, base: Items, mine: Items, theirs: Items): Merged {
  const [inBase, inMine, inTheirs] = [byId(base), byId(mine), byId(theirs)]
  const merged = mergeOrder(idsOf(base), idsOf(mine), idsOf(theirs)).map(id =>
    merge(joinPath(path, `#${id}`), inBase.get(id), inMine.get(id), inTheirs.get(id)),
  )
  return {
    value: merged.flatMap(({ value }) => (value === undefined ? [] : [value])),
    conflicts: merged.flatMap(({ conflicts }) => conflicts),
  }
}

/** Keys whose value decides what else an object has. */
const DECISIVE = ['type', 'kind', 'status']

/**
 * Rich text is one field, and objects of different kinds have no fields in common. What was said of one picture does not hold
 * for another.
 */
function isOneKind(objects: readonly JsonObject[]): boolean {
  return objects.every(
    object =>
      object.type !== 'doc' &&
      DECISIVE.every(key => object[key] === objects[0]?.[key]) &&
      pictureOf(object) === pictureOf(objects[0]),
  )
}

const pictureOf = (object: JsonObject | undefined) => (isPictureUse(object) ? object.picture : null)

const byId = (items: Items) => new Map(items.map(item => [String(item.id), item]))

/** The body after somebody has chosen what stays; undefined removes it. */
export function settle(body: JsonObject, { path }: Pick<Conflict, 'path'>, chosen: unknown): JsonObject {
  const place = fromStablePath(body, path)
  return place === null ? body : withValue(body, place, chosen)
}

type Ids = readonly string[]

/**
 * The order of the items that two people have made of one list. It starts from theirs; what I have moved or added goes
 * behind the item that it follows in mine. Items that one has removed are still in it if the other has them: whether they
 * stay is decided by what is in them.
 */
function mergeOrder(base: Ids, mine: Ids, theirs: Ids): Ids {
  const unmoved = new Set(longestKept(base, mine))
  const removedByThem = mine.filter(id => base.includes(id) && !theirs.includes(id))
  const mover = new Set([...mine.filter(id => !unmoved.has(id)), ...removedByThem])
  const order = theirs.filter(id => !mover.has(id))
  let before = -1
  for (const id of mine) {
    if (mover.has(id)) order.splice(++before, 0, id)
    else before = order.indexOf(id)
  }
  return order
}

/** The most items that are in the same order in both lists: those that nobody has moved. */
export function longestKept(base: Ids, mine: Ids): Ids {
  return diffTokens(base, mine).flatMap(({ kind, text }) => (kind === 'same' ? [text] : []))
}

/** A run of a text that both versions have, or only the later one, or only the earlier one. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** The longest common subsequence is the same, the rest is not. */
export function diffTokens(before: readonly string[], after: readonly string[]): readonly TextPart[] {
  const lengths = commonLengths(before, after)
  const width = after.length + 1
  const parts: TextPart[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old = '', now = ''] = [before[i], after[j]]
    if (i < before.length && j < after.length && old === now) {
      parts.push({ kind: 'same', text: now })
      i++
      j++
    } else if (
      i < before.length &&
      (j >= after.length || at(lengths, (i + 1) * width + j) >= at(lengths, i * width + j + 1))
    ) {
      parts.push({ kind: 'removed', text: old })
      i++
    } else {
      parts.push({ kind: 'added', text: now })
      j++
    }
  }
  return parts
}

/** For each pair of places, how many tokens the rests have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j]
          ? at(lengths, (i + 1) * width + j + 1) + 1
          : Math.max(at(lengths, (i + 1) * width + j), at(lengths, i * width + j + 1))
  return lengths
}

const at = (lengths: Uint32Array, index: number) => lengths[index] ?? 0
