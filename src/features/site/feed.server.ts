import { dropUnshown } from '../../content/bodies.ts'
import { adviserOf } from './blocks/adviser.tsx'
import { type LiveArticle, listArticles } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

export const FEED_PATH = '/news/feed.xml'

/** Entries. Readers keep what they have seen, and each fetches the whole feed. */
const MAX_ENTRIES = 50

/** The newest articles as an Atom feed: RFC 4287. */
export function renderFeed(site: SiteSettings, publicUrl: string): string {
  // A feed must say when, so what has no date is on the page of news only.
  const dated = listArticles(site.live).flatMap(article =>
    article.changedAt === null ? [] : [{ ...article, changedAt: article.changedAt }],
  )
  const articles = dated.slice(0, MAX_ENTRIES)
  const times = articles.map(({ changedAt }) => changedAt).sort()
  const updated = times.at(-1) ?? site.live.siteChangedAt ?? new Date(0).toISOString()
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(site.texts.lang)}">`,
    `<id>${publicUrl}${FEED_PATH}</id>`,
    `<title>${escapeXml(site.texts.news.feed(site.siteName))}</title>`,
    `<updated>${updated}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${publicUrl}${FEED_PATH}"/>`,
    `<link rel="alternate" type="text/html" href="${publicUrl}/news"/>`,
    ...articles.map(article => renderEntry(article, site, publicUrl)),
    '</feed>',
    '',
  ].join('\n')
}

type DatedArticle = LiveArticle & { readonly changedAt: string }

function renderEntry(article: DatedArticle, site: SiteSettings, publicUrl: string): string {
  const { documentId, path, publishedAt, changedAt } = article
  const { title, description } = article.body
  const author = adviserOf(article.body, site)?.name ?? article.body.author
  return [
    '<entry>',
    `<id>urn:uuid:${documentId}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${publicUrl}${path}"/>`,
    `<author><name>${escapeXml(author || site.siteName)}</name></author>`,
    ...(publishedAt ? [`<published>${publishedAt}</published>`] : []),
    `<updated>${changedAt}</updated>`,
    `<summary>${escapeXml(description)}</summary>`,
    '</entry>',
  ].join('\n')
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** For text between tags and in attributes. */
export function escapeXml(text: string): string {
  return dropUnshown(text).replace(/[&<>"]/g, mark => references[mark] ?? mark)
}
