import { ApiError } from '../../../http/api-client.ts'
import { type Archive, UnreadableFile } from '../../../platform/zip.ts'
import { withoutSize } from './wordpress.ts'

/** Bytes of one picture in an archive: more than any camera writes. */
const MAX_PICTURE = 40 * 1024 * 1024

export interface StoredPicture {
  readonly id: string
  readonly width: number
  readonly height: number
}

interface Store {
  /** Draws a picture again, which takes out of it what is no picture. @throws when the browser cannot read it */
  readonly redraw: (file: Blob) => Promise<Uint8Array<ArrayBuffer>>
  readonly upload: (bytes: Uint8Array<ArrayBuffer>) => Promise<StoredPicture>
}

/** Finds the pictures of an old site in archives and `data:` addresses, and stores each once. Nothing is fetched. */
export function createPictureImport(archives: readonly Archive[], { redraw, upload }: Store) {
  const files = indexFiles(archives)
  const stored = new Map<string, Promise<StoredPicture | string>>()
  let refusal: string | null = null

  async function store(source: string): Promise<StoredPicture | string> {
    if (refusal !== null) return refusal
    const file = source.startsWith('data:') ? readData(source) : await readFile(source)
    if (typeof file === 'string') return file
    const bytes = await redraw(file).catch(() => null)
    if (!bytes) return 'this browser cannot read the file as a picture'
    try {
      return await upload(bytes)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error
      // There will be no room for the others either.
      if (error.code === 'quota_reached') refusal = error.message
      return error.message
    }
  }

  async function readFile(source: string): Promise<Blob | string> {
    if (/\.svgz?([?#]|$)/i.test(source)) return 'a drawing (SVG) is no picture here'
    const found = files.find(source)
    if (!found)
      return archives.length > 0 ? 'it is not in the archive' : 'no archive with pictures was chosen'
    try {
      const bytes = await found.archive.read(found.name, MAX_PICTURE)
      return bytes ? new Blob([bytes], { type: typeOf(found.name) }) : 'it is not in the archive'
    } catch (error) {
      if (error instanceof UnreadableFile) return error.message
      throw error
    }
  }

  return {
    /** @returns the picture, or why there is none */
    async find(source: string): Promise<StoredPicture | string> {
      const key = source.startsWith('data:') ? source : withoutSize(source)
      const known = stored.get(key) ?? store(source)
      stored.set(key, known)
      return await known
    },
    /** The other pictures are left out, with this reason. */
    stop(reason: string) {
      refusal = reason
    },
    /** How many of these are in the archives. */
    count: (sources: Iterable<string>) =>
      [...sources].filter(source => source.startsWith('data:') || files.find(source) !== null).length,
  }
}

const PICTURE = /\.(jpe?g|png|webp|gif|avif|heic)$/i
const types: Readonly<Record<string, string>> = { png: 'image/png', webp: 'image/webp', gif: 'image/gif' }
const typeOf = (name: string) => types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'image/jpeg'

interface Found {
  readonly archive: Archive
  readonly name: string
}

/** By the path below `uploads`, whatever folder the archive was made of. */
function indexFiles(archives: readonly Archive[]) {
  const index = new Map<string, Found>()
  for (const archive of archives)
    for (const name of archive.names) {
      if (!PICTURE.test(name)) continue
      const [, below = name] = /(?:^|\/)uploads\/(.*)$/.exec(name) ?? []
      const keys = [below, below.split('/').slice(-3).join('/')]
      for (const key of keys)
        if (!index.has(key.toLowerCase())) index.set(key.toLowerCase(), { archive, name })
    }
  return {
    find(source: string): Found | null {
      const key = keyOf(source)
      // The largest file of a picture, unless only a smaller one is there.
      return index.get(withoutSize(key)) ?? index.get(key) ?? null
    },
  }
}

function keyOf(source: string): string {
  const [path = ''] = source.split(/[?#]/, 1)
  const [, below = path] = /\/uploads\/(.*)$/.exec(path) ?? []
  try {
    return decodeURIComponent(below).toLowerCase()
  } catch {
    return below.toLowerCase()
  }
}

function readData(source: string): Blob | string {
  const [, type = '', data = ''] =
    /^data:(image\/(?:png|jpeg|webp|gif|avif));base64,([\w+/=\s]+)$/.exec(source) ?? []
  if (!data || data.length > 2 * MAX_PICTURE) return 'its data: address has no picture that can be read'
  try {
    const text = atob(data.replace(/\s+/g, ''))
    return new Blob([Uint8Array.from(text, sign => sign.charCodeAt(0))], { type })
  } catch {
    return 'its data: address is damaged'
  }
}
