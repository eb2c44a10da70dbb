import { diffTokens, type TextPart } from '../editor/merge.ts'

/** Comparisons of two words. A paragraph of 2,000 characters needs 130,000; more would keep the browser busy. */
const MAX_COMPARISONS = 1_000_000

const segmenters = {
  word: new Intl.Segmenter('en', { granularity: 'word' }),
  sentence: new Intl.Segmenter('en', { granularity: 'sentence' }),
}

/** What has changed between two texts, by word; by sentence if they are too long for that. */
export function diffWords(before: string, after: string): readonly TextPart[] {
  const replaced = [
    { kind: 'removed' as const, text: before },
    { kind: 'added' as const, text: after },
  ]
  return diffBy('word', before, after) ?? diffBy('sentence', before, after) ?? joinRuns(replaced)
}

function diffBy(unit: keyof typeof segmenters, before: string, after: string): readonly TextPart[] | null {
  const [old, now] = [split(unit, before), split(unit, after)]
  const start = countSame(old, now)
  const end = countSame(old.slice(start).reverse(), now.slice(start).reverse())
  const [oldMiddle, newMiddle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  if (oldMiddle.length * newMiddle.length > MAX_COMPARISONS) return null
  return joinRuns([
    ...now.slice(0, start).map(same),
    ...diffTokens(oldMiddle, newMiddle),
    ...now.slice(now.length - end).map(same),
  ])
}

const split = (unit: keyof typeof segmenters, text: string) =>
  Array.from(segmenters[unit].segment(text), ({ segment }) => segment)

const same = (text: string): TextPart => ({ kind: 'same', text })

function countSame(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((token, index) => token !== other[index])
  return at < 0 ? one.length : at
}

/** Joins what belongs together: changed words that only a space separates are one change, first removed and then added. */
function joinRuns(parts: readonly TextPart[]): readonly TextPart[] {
  const joined: TextPart[] = []
  let [removed, added] = ['', '']
  function endChange() {
    if (removed) joined.push({ kind: 'removed', text: removed })
    if (added) joined.push({ kind: 'added', text: added })
    removed = ''
    added = ''
  }
  for (const [index, { kind, text }] of parts.entries()) {
    const isJoint = Boolean(removed || added) && /^ +$/.test(text) && isChange(parts[index + 1])
    if (kind === 'removed' || (isJoint && kind === 'same')) removed += text
    if (kind === 'added' || (isJoint && kind === 'same')) added += text
    if (kind !== 'same' || isJoint) continue
    endChange()
    const last = joined.at(-1)
    if (last?.kind === 'same') joined.splice(-1, 1, same(last.text + text))
    else joined.push(same(text))
  }
  endChange()
  return joined
}

const isChange = (part: TextPart | undefined) => part !== undefined && part.kind !== 'same'
