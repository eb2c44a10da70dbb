import { fixedPaths, hasNews } from './live-links.ts'
import type { SiteSettings } from './site-settings.ts'
import { escapeXml } from './xml.ts'

interface Entry {
  readonly path: string
  /** Null when nobody knows. */
  readonly changedAt: string | null
}

/** Every public page, with the time of its last change: https://www.sitemaps.org/protocol.html */
export function renderSitemap({ live }: SiteSettings, publicUrl: string): string {
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
    .filter(path => path !== '/news' || hasNews(live))
    .map(path => ({ path, changedAt: live.siteChangedAt }))
  return [...fixed, ...live.documents.values()]
}
