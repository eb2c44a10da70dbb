import {
  type Items,
  idsOf,
  isEqual,
  isItems,
  isList,
  isObject,
  type JsonObject,
  joinPath,
} from '../../../content/json.ts'
import { longestKept, type TextPart } from '../editor/merge.ts'
import { describePicture, isPictureUse } from '../inputs/picture-parts.ts'
import { isRichText, toLines } from '../rich-text/rich-text-lines.ts'
import { diffWords } from './diff-words.ts'

export type Change = TextChange | Move

interface TextChange {
  /** What was added or removed as a whole is an item or a field. */
  readonly kind: 'changed' | 'added' | 'removed'
  /** In the later body; in the earlier one for what was removed. */
  readonly path: string
  readonly parts: readonly TextPart[]
}

interface Move {
  readonly kind: 'moved'
  /** In the later body. */
  readonly path: string
  /** Places in the list, counted from 1. */
  readonly from: number
  readonly to: number
}

/**
 * What has changed between two bodies of a document, in the order of the later one. Items of lists are compared by id, so
 * that a move is a move; texts by word, rich text with signs for its structure.
 */
export function diffBodies(before: JsonObject, after: JsonObject): readonly Change[] {
  return diff('', before, after)
}

function diff(path: string, before: unknown, after: unknown): readonly Change[] {
  if (isEqual(before, after)) return []
  if (before === undefined) return whole('added', path, after)
  if (after === undefined) return whole('removed', path, before)
  if (isItems(before) && isItems(after)) return diffLists(path, before, after)
  if (isObject(before) && isObject(after) && !isLeaf(before) && !isLeaf(after))
    return diffObjects(path, before, after)
  return changed(path, before, after)
}

function diffObjects(path: string, before: JsonObject, after: JsonObject): readonly Change[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)])
  return [...keys].flatMap(key => diff(joinPath(path, key), before[key], after[key]))
}

function diffLists(path: string, before: Items, after: Items): readonly Change[] {
  const [oldIds, newIds] = [idsOf(before), idsOf(after)]
  const kept = new Set(longestKept(oldIds, newIds))
  const removed = before.flatMap((item, at) =>
    newIds.includes(String(item.id)) ? [] : whole('removed', joinPath(path, at), item),
  )
  const rest = after.flatMap((item, at) => {
    const place = joinPath(path, at)
    const id = String(item.id)
    const from = oldIds.indexOf(id)
    const move = { kind: 'moved' as const, path: place, from: from + 1, to: at + 1 }
    return [...(from >= 0 && !kept.has(id) ? [move] : []), ...diff(place, before[from], item)]
  })
  return [...rest, ...removed]
}

function changed(path: string, before: unknown, after: unknown): readonly Change[] {
  const [old, now] = [toText(before), toText(after)]
  return old === now ? [] : [{ kind: 'changed', path, parts: diffWords(old, now) }]
}

function whole(kind: 'added' | 'removed', path: string, value: unknown): readonly Change[] {
  const text = toText(value)
  return [{ kind, path, parts: text ? [{ kind, text }] : [] }]
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (isRichText(value)) return toLines(value)
  if (isPictureUse(value)) return describePicture(value)
  if (isList(value)) return value.map(toText).join(value.some(isObject) ? '\n' : ', ')
  return isObject(value) ? textsOf(value).join('\n') : String(value)
}

/** The texts in an object, without what only programs read. */
function textsOf({ id: _, type: __, ...parts }: JsonObject): readonly string[] {
  return Object.values(parts).map(toText).filter(Boolean)
}

/** Rich text and the use of a picture are shown as a whole, each as one text. */
const isLeaf = (value: JsonObject) => isRichText(value) || isPictureUse(value)
