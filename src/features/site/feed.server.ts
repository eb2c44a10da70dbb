import { type LiveArticle, listArticles } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'
import { escapeXml } from './xml.ts'

export const FEED_PATH = '/news/feed.xml'

/** Entries. Readers keep what they have seen, and each fetches the whole feed. */
const MAX_ENTRIES = 50

/** The newest articles as an Atom feed: RFC 4287. */
export function renderFeed(site: SiteSettings, publicUrl: string): string {
  const articles = listArticles(site.live).slice(0, MAX_ENTRIES)
  const times = articles.map(updatedAt).sort()
  const updated = times.at(-1) ?? site.live.siteChangedAt ?? new Date(0).toISOString()
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(site.texts.lang)}">`,
    `<id>${publicUrl}${FEED_PATH}</id>`,
    `<title>${escapeXml(site.texts.news.feed(site.siteName))}</title>`,
    `<updated>${updated}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${publicUrl}${FEED_PATH}"/>`,
    `<link rel="alternate" type="text/html" href="${publicUrl}/news"/>`,
    ...articles.map(article => renderEntry(article, publicUrl)),
    '</feed>',
    '',
  ].join('\n')
}

function renderEntry(article: LiveArticle, publicUrl: string): string {
  const { documentId, path, publishedAt } = article
  const { title, description, author } = article.body
  return [
    '<entry>',
    `<id>urn:uuid:${documentId}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${publicUrl}${path}"/>`,
    `<author><name>${escapeXml(author)}</name></author>`,
    ...(publishedAt ? [`<published>${publishedAt}</published>`] : []),
    `<updated>${updatedAt(article)}</updated>`,
    `<summary>${escapeXml(description)}</summary>`,
    '</entry>',
  ].join('\n')
}

/** A feed must say when. For what the installation came with, that is when it was installed. */
function updatedAt({ changedAt, createdAt }: LiveArticle): string {
  return changedAt ?? createdAt
}
