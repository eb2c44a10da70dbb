import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

export const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync('build/browser/.vite/manifest.json', 'utf8'),
)

/** The paths of chunks and all that they import. */
export function reach(
  sources: readonly string[],
  { dynamic = false, without = [] }: { dynamic?: boolean; without?: readonly string[] } = {},
): Set<string> {
  const seen = new Set(without)
  const add = (source: string) => {
    const chunk = manifest[source]
    if (!chunk || seen.has(source)) return
    seen.add(source)
    for (const next of [...(chunk.imports ?? []), ...((dynamic && chunk.dynamicImports) || [])]) add(next)
  }
  for (const source of sources) {
    assert.ok(manifest[source], `the build has ${source}`)
    add(source)
  }
  return new Set([...seen].filter(it => !without.includes(it)).map(it => `/${manifest[it]?.file}`))
}

/** Outside the build, a picture has the address of its source. */
function built(path: string): string {
  return path.startsWith('/src/') ? `/${manifest[path.slice(1)]?.file}` : path
}

/** What a browser fetches by itself: styles, fonts, scripts, the icon, pictures. */
export function findLoaded(html: string): string[] {
  const tags = html.match(/<(?:link|script|img|source|use)\b[^>]*>/g) ?? []
  const paths = tags
    .filter(tag => !/rel="(?:canonical|manifest|apple-touch-icon)"/.test(tag))
    .flatMap(tag => /\b(?:href|src|srcset)="(\/[^" #]+)/i.exec(tag)?.[1] ?? [])
  return [...new Set(paths.map(built))]
}

/** What the first paint shows: typefaces and, on the home page, the hero's picture. */
export function findFirst(html: string): string[] {
  const first = html.match(/<(?:link rel="preload"|img[^>]*fetchPriority="high")[^>]*>/gi) ?? []
  assert.ok(first.length >= 2, 'typefaces are asked for in the head')
  return findLoaded(first.join('')).filter(path => !path.endsWith('.css'))
}

export async function weighOne(url: string): Promise<number> {
  const { status, headers } = await fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } })
  assert.equal(status, 200, url)
  return Number(headers.get('content-length'))
}
