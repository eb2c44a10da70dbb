/** How a body may be encoded; null is as it is. */
export type Encoding = 'br' | 'gzip' | null

const patterns = {
  br: weightOf('br'),
  // The old name of the same (RFC 9110, 8.4.1.3).
  gzip: weightOf('(?:x-)?gzip'),
  identity: weightOf('identity'),
  '*': weightOf('\\*'),
}

/**
 * Chooses the encoding that `Accept-Encoding` prefers; of equal ones, the first. Without the header nothing is encoded.
 * @param offered the smallest first. A client that refuses them all, and the plain form too, gets the plain form: every
 *   page can be read.
 */
export function chooseEncoding(
  header: string | null | undefined,
  offered: readonly { encoding: Encoding }[],
): Encoding {
  if (!header) return null
  // Plain is the last choice unless the client ranks it.
  let best: Encoding = null
  let highest = readWeight(header, patterns.identity) ?? 0
  for (const { encoding } of offered) {
    const weight = encoding
      ? (readWeight(header, patterns[encoding]) ?? readWeight(header, patterns['*']) ?? 0)
      : 0
    if (weight === 0 || weight < highest || (weight === highest && best !== null)) continue
    best = encoding
    highest = weight
  }
  return best
}

/** One entry of the list with its weight, in either case and with spaces where HTTP allows them. */
function weightOf(name: string): RegExp {
  return new RegExp(`(?:^|,)[ \\t]*${name}[ \\t]*(?:;[ \\t]*q=([\\d.]+)[ \\t]*)?(?=,|$)`, 'i')
}

/** @returns from 0 (refused) to 1; undefined when the header does not name it. A weight that is none counts as refused. */
function readWeight(header: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(header)
  return found ? Number(found[1] ?? 1) || 0 : undefined
}
