import { isList, isObject } from './json.ts'

/** The names of the facts that a body refers to, in alphabetical order. */
export function factNamesIn(body: unknown): readonly string[] {
  return [...new Set(collect(body))].filter(Boolean).sort()
}

function collect(value: unknown): readonly string[] {
  if (isList(value)) return value.flatMap(collect)
  if (!isObject(value)) return []
  const own = typeof value.fact === 'string' ? [value.fact] : []
  const inText = value.type === 'fact' && isObject(value.attrs) ? [String(value.attrs.name)] : []
  return [...own, ...inText, ...Object.values(value).flatMap(collect)]
}
