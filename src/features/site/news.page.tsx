import { sentence } from '../../i18n/sentence.ts'
import { ArticleList } from './article.tsx'
import { Layout } from './layout.tsx'
import { listArticles } from './live-documents.ts'
import { PageHead } from './page-head.tsx'
import type { SiteSettings } from './site-settings.ts'

/** Articles, newest first. */
export function NewsPage({ site }: { site: SiteSettings }) {
  const { news } = site.texts
  const articles = listArticles(site.live)
  return (
    <Layout site={site} current="/news">
      <PageHead crumbs={newsCrumbs(site)} texts={site.texts}>
        <h1>{news.heading}</h1>
        <p className="lead">{news.lead}</p>
      </PageHead>
      <div className="site-section">
        {articles.length > 0 ? (
          <ArticleList articles={articles} level={2} site={site} />
        ) : (
          <p>{sentence(news.empty(<a href="/visas">{news.visas}</a>))}</p>
        )}
      </div>
    </Layout>
  )
}

export function newsCrumbs({ texts }: SiteSettings) {
  return [
    { href: '/', label: texts.header.home },
    { href: '/news', label: texts.news.heading },
  ]
}
