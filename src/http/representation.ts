import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

type Headers = Readonly<Record<string, string>>
type Bytes = Uint8Array<ArrayBuffer>

/** A page or file as bytes, in every encoding that browsers accept, with the headers of each prepared. */
export interface Representation {
  readonly headers: Headers
  /** The smallest first; empty when compression would not pay off. */
  readonly compressed: readonly EncodedBody[]
  readonly plain: EncodedBody
}

interface EncodedBody {
  readonly encoding: Encoding
  readonly tag: string
  readonly body: Bytes
  /** The body as it is written to a socket; text is in Latin-1. */
  readonly written: Bytes | string
  /** Headers of a 200. */
  readonly whole: Headers
  /** Headers of a 304. */
  readonly unchanged: Headers
}

/** The parts of a request that decide which body is sent, if any. */
interface Preconditions {
  readonly method: string | undefined
  readonly acceptEncoding: string | null | undefined
  readonly ifNoneMatch: string | null | undefined
}

const compressible = /^(text\/|application\/(javascript|json|manifest|xml|atom)|image\/svg)/
/** Below this, the additional headers are larger than what compression saves. */
const MIN_COMPRESSED_BYTES = 256

/**
 * Bytes. Up to here Node writes a text together with the headers, without another buffer, which takes a twentieth less of
 * the processor than an array of bytes.
 */
const MAX_WRITTEN_AS_TEXT = 12 * 1024

export async function encodeResponse(body: string | Uint8Array, headers: Headers): Promise<Representation> {
  const plain = new Uint8Array(Buffer.from(body))
  // The hash covers the headers too: a page whose policy has changed must not count as unchanged.
  const hash = createHash('sha256')
    .update(JSON.stringify(headers))
    .update(plain)
    .digest('base64url')
    .slice(0, 22)
  const worthIt = compressible.test(headers['Content-Type'] ?? '') && plain.length >= MIN_COMPRESSED_BYTES
  if (!worthIt) return { headers, compressed: [], plain: toEncodedBody(plain, null, hash, headers) }
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
  ])
  const varied = { ...headers, Vary: 'Accept-Encoding' }
  return {
    headers: varied,
    compressed: [
      toEncodedBody(new Uint8Array(brotli), 'br', hash, varied),
      toEncodedBody(new Uint8Array(zipped), 'gzip', hash, varied),
    ],
    plain: toEncodedBody(plain, null, hash, varied),
  }
}

/** The memory that a response takes, in bytes. */
export function countBytes({ compressed, plain }: Representation): number {
  return [plain, ...compressed].reduce(
    (sum, { body, written }) => sum + body.length + (typeof written === 'string' ? written.length : 0),
    0,
  )
}

/** The same without compression, for a response that is sent only once. */
export function representPlain(body: string, headers: Headers): Representation {
  const plain = new Uint8Array(Buffer.from(body))
  const whole = { ...headers, 'Content-Length': String(plain.length) }
  return {
    headers,
    compressed: [],
    plain: { encoding: null, tag: '', body: plain, written: plain, whole, unchanged: headers },
  }
}

function toEncodedBody(body: Bytes, encoding: Encoding, hash: string, headers: Headers): EncodedBody {
  // One ETag for each encoding, so that a cache does not mistake a compressed body for the plain one.
  const tag = encoding ? `"${hash}-${encoding}"` : `"${hash}"`
  const unchanged = { ...headers, ETag: tag }
  const whole = {
    ...unchanged,
    'Content-Length': String(body.length),
    ...(encoding && { 'Content-Encoding': encoding }),
  }
  // Pictures would take twice the memory, and are many.
  const isText = body.length <= MAX_WRITTEN_AS_TEXT && compressible.test(headers['Content-Type'] ?? '')
  const written = isText ? Buffer.from(body).toString('latin1') : body
  return { encoding, tag, body, written, whole, unchanged }
}

/** Chooses the encoding that the browser prefers, or 304 when the browser already has it. */
export function negotiate({ compressed, plain }: Representation, preconditions: Preconditions, status = 200) {
  const encoding = chooseEncoding(preconditions.acceptEncoding, compressed)
  const { tag, body, written, whole, unchanged } =
    compressed.find(each => each.encoding === encoding) ?? plain
  if (status === 200 && isKnown(preconditions.ifNoneMatch, tag))
    return { status: 304, headers: unchanged, body: null, written: null }
  if (preconditions.method === 'HEAD') return { status, headers: whole, body: null, written: null }
  return { status, headers: whole, body, written }
}

/** The result of `negotiate` as a standard Response. */
export function respond(request: Request, representation: Representation, status = 200): Response {
  const { method, headers } = request
  const acceptEncoding = headers.get('accept-encoding')
  const preconditions = { method, acceptEncoding, ifNoneMatch: headers.get('if-none-match') }
  const { body, written: _, ...init } = negotiate(representation, preconditions, status)
  return new Response(body, init)
}

function isKnown(ifNoneMatch: Preconditions['ifNoneMatch'], tag: string): boolean {
  if (!ifNoneMatch) return false
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some(known => known.trim().replace(/^W\//, '') === tag)
}

/** The content encoding of a body; null when it is not encoded. */
type Encoding = 'br' | 'gzip' | null

/** The weight of each coding in a header, from 0 (not acceptable) to 1; undefined without one. */
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
function chooseEncoding(
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
