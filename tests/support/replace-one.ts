/** The body with one of its leaves or branches replaced. @param place any number: places are counted round and round */
export function replaceOne(body: unknown, place: number, value: unknown): unknown {
  const copy: unknown = structuredClone(body)
  const places = collectPlaces(copy)
  const [parent, key] = places[place % places.length] ?? [{}, '']
  Reflect.set(parent, key, value)
  return copy
}

function collectPlaces(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [
    [value, key] as [object, string],
    ...collectPlaces(part),
  ])
}
