import { sentence } from '../../i18n/sentence.ts'
import { Day } from './article.tsx'
import { Layout } from './layout.tsx'
import { listArticles } from './live-documents.ts'
import { AskBand, PageHead } from './page-head.tsx'
import type { SiteSettings } from './site-settings.ts'

/** Articles, newest first. */
export function NewsPage({ site }: { site: SiteSettings }) {
  const { news, documents } = site.texts
  return (
    <Layout site={site} current="/news">
      <PageHead crumbs={newsCrumbs(site)} title={news.heading} lead={news.lead} site={site} />
      <div className="site-section">
        <Articles site={site} />
      </div>
      <AskBand href="/contact#get-in-touch" heading={documents.question} site={site} />
    </Layout>
  )
}

export function newsCrumbs({ texts }: SiteSettings) {
  return [
    { href: '/', label: texts.header.home },
    { href: '/news', label: texts.news.heading },
  ]
}

function Articles({ site }: { site: SiteSettings }) {
  const { news } = site.texts
  const articles = listArticles(site.live)
  if (articles.length === 0) return <p>{sentence(news.empty(<a href="/visas">{news.visas}</a>))}</p>
  return (
    <ul className="site-rows">
      {articles.map(({ path, body: { title, description }, publishedAt }) => (
        <li key={path} className="site-row">
          <Day time={publishedAt} site={site} />
          <div>
            <h2 className="site-row-title">
              <a href={path}>{title}</a>
            </h2>
            <p>{description}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
