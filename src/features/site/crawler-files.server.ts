import type { Config } from '../../config.ts'
import { encodeResponse } from '../../http/representation.ts'
import { lazyResponse, type ResponseMap } from '../../http/responses.ts'
import { responseHeaders } from '../../http/security-headers.ts'
import { SEND_TEXTS_PATH } from '../enquiry-form/form-texts.ts'
import { sendTexts } from '../enquiry-form/get-in-touch.tsx'
import { brandStyle } from './brand-style.server.ts'
import { escapeXml, FEED_PATH, renderFeed } from './feed.server.ts'
import { fixedPaths, hasNews, isTeamPage } from './live-documents.ts'
import type { PageServer } from './serve-pages.server.tsx'
import type { SiteSettings } from './site-settings.ts'

/**
 * The files for crawlers and browsers at fixed paths, generated from the lists of pages and screens.
 * @param staffPaths paths that search engines must not crawl
 */
export function crawlerFiles(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  pageServer: PageServer,
  staffPaths: readonly string[],
): ResponseMap {
  const headers = { ...responseHeaders(publicUrl), 'Cache-Control': 'public, max-age=3600' }
  /** Follows settings and content. With `no-cache`, who asks again gets 304 until they change. */
  const file = (path: string, type: string, render: (site: SiteSettings) => string, more = {}) => {
    const allHeaders = { ...headers, ...more, 'Content-Type': type }
    return [path, pageServer.cached(path, site => encodeResponse(render(site), allHeaders))] as const
  }
  const robotsHeaders = { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }
  return new Map([
    ['/robots.txt', lazyResponse(() => encodeResponse(robots(publicUrl, staffPaths), robotsHeaders))],
    file('/sitemap.xml', 'application/xml; charset=utf-8', site => renderSitemap(site, publicUrl), NO_CACHE),
    file(FEED_PATH, 'application/atom+xml; charset=utf-8', site => renderFeed(site, publicUrl), NO_CACHE),
    file(SEND_TEXTS_PATH, 'application/json', site => JSON.stringify(sendTexts(site)), NO_CACHE),
    file('/site.webmanifest', 'application/manifest+json', webManifest),
  ])
}

const NO_CACHE = { 'Cache-Control': 'no-cache' }

function robots(publicUrl: string, staffPaths: readonly string[]): string {
  const closed = ['/api/', ...staffPaths].map(path => `Disallow: ${path}`)
  return ['User-agent: *', ...closed, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}

/** For people who add the site to their home screen. It still opens in the browser. */
function webManifest({ siteName, content, texts }: SiteSettings): string {
  const brand = brandStyle(content.brand, 'site')
  const icon = (size: 192 | 512) => ({
    src: brand?.icons?.app[size] ?? `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })
  return JSON.stringify({
    name: siteName,
    short_name: siteName.split(' ')[0],
    description: content.slides[0]?.description,
    lang: texts.lang,
    start_url: '/',
    display: 'browser',
    theme_color: brand?.themeColour ?? '#0F2E3D',
    background_color: '#FFFFFF',
    icons: [icon(192), icon(512)],
  })
}

interface Entry {
  readonly path: string
  /** Null when nobody knows. */
  readonly changedAt: string | null
}

/** Every public page, with the time of its last change: https://www.sitemaps.org/protocol.html */
function renderSitemap({ live }: SiteSettings, publicUrl: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...listEntries(live).map(entry => renderEntry(entry, publicUrl)),
    '</urlset>',
    '',
  ].join('\n')
}

function renderEntry({ path, changedAt }: Entry, publicUrl: string): string {
  const modified = changedAt ? `<lastmod>${changedAt}</lastmod>` : ''
  return `  <url><loc>${escapeXml(`${publicUrl}${path}`)}</loc>${modified}</url>`
}

/** An empty list of news is left out. */
function listEntries(live: SiteSettings['live']): readonly Entry[] {
  const fixed = fixedPaths
    .filter(path => (path !== '/news' || hasNews(live)) && (path !== '/team' || isTeamPage(live)))
    .map(path => ({ path, changedAt: live.siteChangedAt }))
  return [...fixed, ...live.documents.values()]
}
