import type { Assets } from '../../assets.ts'
import { PICTURE_ID } from '../../content/picture-use.ts'
import { encodeResponse, type Representation } from '../../http/representation.ts'
import type { ResponseMap } from '../../http/responses.ts'
import { LOGO_SHARED, logoUrl } from '../../pictures/sizes.ts'
import type { Services } from '../../services.ts'
import { sharedFile } from './blocks/picture.tsx'
import type { PageServer } from './serve-pages.server.tsx'
import type { SiteSettings } from './site-settings.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Read = (path: string) => Promise<Representation | null>

interface Drawn {
  readonly bytes: string | Bytes
  readonly type: string
}

/**
 * The pictures that browsers, phones and social networks ask for at fixed addresses, whatever a page says: those of the agency's
 * logo, and of the product for what it has none of.
 */
export function brandFiles(
  { files }: Pick<Services['pictures'], 'files'>,
  own: Assets['files'],
  pageServer: PageServer,
): ResponseMap {
  return new Map(
    Object.entries(drawers).flatMap(([path, draw]) => {
      const product = own.get(path)
      if (!product) return []
      const response = pageServer.cached(path, async site => {
        const ofProduct = await product.fetch('')
        const drawn = await draw(site, files.fetch)
        if (!drawn) return ofProduct
        return await encodeResponse(drawn.bytes, headersOf(ofProduct, drawn.type))
      })
      return [[path, response]]
    }),
  )
}

/** `plain` has no more headers than these. */
function headersOf({ headers: { Vary: _, ...headers } }: Representation, type: string) {
  return { ...headers, 'Content-Type': type }
}

/** Each makes nothing where the agency has nothing to make it from. */
const drawers: Readonly<Record<string, (site: SiteSettings, read: Read) => Promise<Drawn | null>>> = {
  '/apple-touch-icon.png': async (site, read) => await readLogo(site, read, 180),
  '/icon-192.png': async (site, read) => await readLogo(site, read, 192),
  '/icon-512.png': async (site, read) => await readLogo(site, read, 512),
  async '/favicon.ico'(site, read) {
    const [small, large] = [await readLogo(site, read, 16), await readLogo(site, read, 32)]
    return small && large && { bytes: toIco([small.bytes, large.bytes]), type: 'image/x-icon' }
  },
  async '/favicon.svg'(site, read) {
    const logo = await readLogo(site, read, 64)
    if (!logo) return null
    const source = `data:image/png;base64,${Buffer.from(logo.bytes).toString('base64')}`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image width="64" height="64" href="${source}"/></svg>`
    return { bytes: svg, type: 'image/svg+xml' }
  },
  async '/share.png'(site, read) {
    const { socialPicture } = site.content
    const own = socialPicture && (await read(sharedFile(socialPicture).src))
    if (own) return { bytes: own.plain.body, type: own.headers['Content-Type'] ?? 'image/jpeg' }
    return await readLogo(site, read, LOGO_SHARED.width)
  },
}

async function readLogo({ content }: SiteSettings, read: Read, size: Parameters<typeof logoUrl>[1]) {
  const id = content.brand?.logo?.picture ?? ''
  const found = PICTURE_ID.test(id) ? await read(logoUrl(id, size)) : null
  return found && { bytes: found.plain.body, type: 'image/png' }
}

/** Bytes of the head of an ICO file, and of what it says of each picture. */
const [HEAD, ENTRY] = [6, 16]

/** PNGs in the container that browsers ask for. @param pictures square, and at most 256 pixels of a side */
function toIco(pictures: readonly Uint8Array[]): Bytes {
  const head = Buffer.alloc(HEAD + ENTRY * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [at, picture] of pictures.entries()) {
    const entry = HEAD + ENTRY * at
    // The first chunk of a PNG begins with its width.
    head.fill(Buffer.from(picture).readUInt32BE(16) % 256, entry, entry + 2)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(picture.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += picture.length
  }
  return new Uint8Array(Buffer.concat([head, ...pictures]))
}
