/** The content encoding of a body; null when it is not encoded. */
export type Encoding = 'br' | 'gzip' | null

/** What a header says of each coding, from 0 (not acceptable) to 1; undefined when it does not name it. */
type Weights = Readonly<Record<keyof typeof patterns, number | undefined>>

/** By header, because browsers send about ten different ones, and reading one takes a microsecond of a page’s twenty. */
const knownWeights = new Map<string, Weights>()
/** Headers, and characters of one. */
const MAX_KNOWN = 100
const MAX_KNOWN_LENGTH = 100

const patterns = {
  br: weightOf('br'),
  // `x-gzip` is an older name for gzip (RFC 9110, 8.4.1.3).
  gzip: weightOf('(?:x-)?gzip'),
  identity: weightOf('identity'),
  '*': weightOf('\\*'),
}

/**
 * Chooses the encoding that `Accept-Encoding` prefers; if several are equal, the first offered. Without the header the
 * body is not encoded.
 * @param offered the smallest body first. A client that rejects every encoding, including `identity`, still gets the
 *   plain body, so that every page can be read.
 */
export function chooseEncoding(
  header: string | null | undefined,
  offered: readonly { encoding: Encoding }[],
): Encoding {
  if (!header) return null
  // The plain body is the last choice, unless the client gives it a weight.
  let best: Encoding = null
  const weights = knownWeights.get(header) ?? readWeights(header)
  let highest = weights.identity ?? 0
  for (const { encoding } of offered) {
    const weight = encoding ? (weights[encoding] ?? weights['*'] ?? 0) : 0
    if (weight === 0 || weight < highest || (weight === highest && best !== null)) continue
    best = encoding
    highest = weight
  }
  return best
}

/** Matches one entry of the header with its weight, ignoring case, with spaces where HTTP allows them. */
function weightOf(name: string): RegExp {
  return new RegExp(`(?:^|,)[ \\t]*${name}[ \\t]*(?:;[ \\t]*q=([\\d.]+)[ \\t]*)?(?=,|$)`, 'i')
}

function readWeights(header: string): Weights {
  const weights = {
    br: readWeight(header, patterns.br),
    gzip: readWeight(header, patterns.gzip),
    identity: readWeight(header, patterns.identity),
    '*': readWeight(header, patterns['*']),
  }
  if (header.length > MAX_KNOWN_LENGTH) return weights
  if (knownWeights.size >= MAX_KNOWN) knownWeights.clear()
  knownWeights.set(header, weights)
  return weights
}

/** @returns 0 (not acceptable) to 1; undefined when the header does not name it. An invalid weight counts as 0. */
function readWeight(header: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(header)
  return found ? Number(found[1] ?? 1) || 0 : undefined
}
