import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import type { FontName } from './content/brand/brand.ts'
import { encodeResponse } from './http/representation.ts'
import { lazyResponse, type ResponseMap } from './http/responses.ts'
import { responseHeaders } from './http/security-headers.ts'

/** Made by scripts/icons.ts for messengers and social networks; the only file that other sites may embed. */
export const SHARE_IMAGE = '/share.png'

/** Fonts that scripts/fonts.ts reduced to the characters of every page; a page that needs others loads them separately. */
const FIRST_FONTS = 'src/ui/fonts/'

/** Styles that some public pages have beside those of all. */
export type StylesName = 'status'

export type EntryName = 'site' | 'sign-in' | 'verify-email' | 'password' | 'portal'

/** The files that a document loads for one browser entry. */
export interface Entry {
  readonly script: string
  /** The imports of the script. A browser can request them before it has parsed the script. */
  readonly imports: readonly string[]
  readonly styles: readonly string[]
  /** By name. Those of the page are preloaded, so that a browser requests them before it has parsed the styles. */
  readonly fonts: Readonly<Partial<Record<FontName, string>>>
}

export interface Assets {
  /** @param styles more than those of the entry */
  entry(name: EntryName, styles?: StylesName): Entry
  readonly files: ResponseMap
}

interface ManifestChunk {
  readonly file: string
  readonly name?: string
  readonly isEntry?: boolean
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** Reads what Vite built into `folder`. Files are looked up in a fixed list, so no path can leave the folder. */
export function readAssets(folder: string, publicUrl: string): Assets {
  const manifest: Record<string, ManifestChunk> = JSON.parse(
    readFileSync(join(folder, '.vite/manifest.json'), 'utf8'),
  )
  const paths = listFiles(folder).filter(path => !path.startsWith('/.vite/'))
  return {
    entry(name, more) {
      const find = (wanted: string) =>
        Object.values(manifest).find(chunk => chunk.isEntry && chunk.name === wanted) ?? throwMissing(wanted)
      const entry = find(name)
      const styles = more ? [find(more).file] : []
      const chunks = withImports(manifest, entry)
      return {
        script: `/${entry.file}`,
        imports: [...new Set(chunks.map(({ file }) => `/${file}`))].filter(file => file !== `/${entry.file}`),
        styles: [...new Set([...chunks.flatMap(chunk => chunk.css ?? []), ...styles])].map(
          file => `/${file}`,
        ),
        fonts: Object.fromEntries(
          Object.entries(manifest)
            .filter(([source]) => source.startsWith(FIRST_FONTS))
            .map(([source, { file }]) => [basename(source, '.woff2'), `/${file}`]),
        ),
      }
    },
    files: new Map(
      paths.map(path => [
        path,
        lazyResponse(
          async () => await encodeResponse(await readFile(join(folder, path)), fileHeaders(path, publicUrl)),
        ),
      ]),
    ),
  }
}

function throwMissing(name: string): never {
  throw new Error(`The build has no entry "${name}"`)
}

function withImports(manifest: Record<string, ManifestChunk>, chunk: ManifestChunk): ManifestChunk[] {
  const imported = (chunk.imports ?? []).flatMap(name => manifest[name] ?? [])
  return [...imported.flatMap(each => withImports(manifest, each)), chunk]
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Names below /assets carry a hash of their content, so a browser need never ask again. */
function fileHeaders(path: string, publicUrl: string): Record<string, string> {
  return {
    ...responseHeaders(publicUrl),
    'Content-Type': types[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': path.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600',
    ...(path === SHARE_IMAGE && { 'Cross-Origin-Resource-Policy': 'cross-origin' }),
  }
}
