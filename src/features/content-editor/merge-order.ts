type Ids = readonly string[]

/**
 * The order of the items that two people have made of one list. It starts from theirs; what I have moved or added goes
 * behind the item that it follows in mine. Items that one has removed are still in it if the other has them: whether they
 * stay is decided by what is in them.
 */
export function mergeOrder(base: Ids, mine: Ids, theirs: Ids): Ids {
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
  const places = new Map(base.map((id, at) => [id, at]))
  const known = mine.filter(id => places.has(id))
  /** For each item, the longest row of items in order that ends with it. */
  const rows: Ids[] = []
  for (const id of known) rows.push([...longestBefore(id, known, rows, places), id])
  return rows.reduce((longest, row) => (row.length > longest.length ? row : longest), [])
}

function longestBefore(
  id: string,
  known: Ids,
  rows: readonly Ids[],
  places: ReadonlyMap<string, number>,
): Ids {
  const place = places.get(id) ?? 0
  let longest: Ids = []
  for (const [at, row] of rows.entries()) {
    const isBefore = (places.get(known[at] ?? '') ?? 0) < place
    if (isBefore && row.length > longest.length) longest = row
  }
  return longest
}
