import type { Config } from '../../config.ts'
import { encodeResponse } from '../../http/representation.ts'
import { type CachedResponse, lazyResponse, type ResponseMap } from '../../http/response-map.ts'
import { responseHeaders } from '../../http/security-headers.ts'
import type { Page } from '../../pages.tsx'
import type { SiteSettings } from './layout.tsx'
import type { PageServer } from './serve-pages.server.tsx'

/**
 * The files for crawlers and browsers at fixed paths, generated from the lists of pages and screens.
 * @param staffPaths paths that search engines must not crawl
 */
export function crawlerFiles(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  pageServer: PageServer,
  pages: readonly Page[],
  staffPaths: readonly string[],
): ResponseMap {
  const headers = { ...responseHeaders(publicUrl), 'Cache-Control': 'public, max-age=3600' }
  const text = (type: string, body: string): CachedResponse =>
    lazyResponse(() => encodeResponse(body, { ...headers, 'Content-Type': type }))
  return new Map([
    ['/robots.txt', text('text/plain; charset=utf-8', robots(publicUrl, staffPaths))],
    ['/sitemap.xml', text('application/xml; charset=utf-8', sitemap(publicUrl, pages))],
    [
      '/site.webmanifest',
      pageServer.cached('/site.webmanifest', site =>
        encodeResponse(webManifest(site), {
          ...headers,
          'Content-Type': 'application/manifest+json',
        }),
      ),
    ],
  ])
}

function robots(publicUrl: string, staffPaths: readonly string[]): string {
  const closed = ['/api/', ...staffPaths].map(path => `Disallow: ${path}`)
  return ['User-agent: *', ...closed, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}

function sitemap(publicUrl: string, pages: readonly Page[]): string {
  const urls = pages.map(({ path }) => `  <url><loc>${new URL(path, publicUrl).href}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

/** For people who add the site to their home screen. It still opens in the browser. */
function webManifest({ siteName, content }: SiteSettings): string {
  const icon = (size: number) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })
  return JSON.stringify({
    name: siteName,
    short_name: siteName.split(' ')[0],
    description: content.slides[0].description,
    lang: 'en-AU',
    start_url: '/',
    display: 'browser',
    theme_color: '#0F2E3D',
    background_color: '#FFFFFF',
    icons: [icon(192), icon(512)],
  })
}
