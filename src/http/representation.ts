import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A page or file as bytes, compressed once in every way that browsers ask for. */
export interface Representation {
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer> | null
  readonly brotli: Uint8Array<ArrayBuffer> | null
}

const compressible = /^(text\/|application\/(javascript|json|manifest)|image\/svg)/
/** Below this the headers weigh more than what compression saves. */
const SMALLEST_COMPRESSED = 256

export async function represent(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<Representation> {
  const plain = bytes(Buffer.from(body))
  // Of the headers too: a page whose policy has changed is another page, though it reads the same.
  const hash = createHash('sha256').update(JSON.stringify(headers)).update(plain)
  const etag = `"${hash.digest('base64url').slice(0, 22)}"`
  const worthIt = compressible.test(headers['Content-Type'] ?? '') && plain.length >= SMALLEST_COMPRESSED
  if (!worthIt) return { headers, etag, plain, gzip: null, brotli: null }
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
  ])
  return {
    headers: { ...headers, Vary: 'Accept-Encoding' },
    etag,
    plain,
    gzip: bytes(zipped),
    brotli: bytes(brotli),
  }
}

/** The smallest form that the browser takes, or 304 when it has this one already. */
export function respond(request: Request, representation: Representation, status = 200): Response {
  const { etag, plain, gzip: zipped, brotli } = representation
  const accepted = request.headers.get('accept-encoding') ?? ''
  const [body, encoding] =
    brotli && /\bbr\b/.test(accepted)
      ? [brotli, 'br']
      : zipped && /\bgzip\b/.test(accepted)
        ? [zipped, 'gzip']
        : [plain, null]
  // One tag for each form: a cache must not take a compressed body for the plain one.
  const tag = encoding ? `${etag.slice(0, -1)}-${encoding}"` : etag
  const headers = { ...representation.headers, ETag: tag }
  if (status === 200 && isKnown(request.headers.get('if-none-match'), tag)) {
    return new Response(null, { status: 304, headers })
  }
  const sized = {
    ...headers,
    'Content-Length': String(body.length),
    ...(encoding && { 'Content-Encoding': encoding }),
  }
  return new Response(request.method === 'HEAD' ? null : body, { status, headers: sized })
}

function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (!ifNoneMatch) return false
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some(known => known.trim().replace(/^W\//, '') === tag)
}

function bytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer)
}
