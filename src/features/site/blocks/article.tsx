import type { Fact } from '../../../content/facts.ts'
import type { ArticleBody } from '../../../content/page-bodies.ts'
import { keepTogether, sentence } from '../../../i18n/no-break.ts'
import { dateIn } from '../../../platform/clock.ts'
import type { MenuLink } from '../../../ui/header/header.tsx'
import { Layout } from '../layout.tsx'
import { type LiveArticle, listArticles } from '../live-documents.ts'
import type { SiteSettings } from '../site-settings.ts'
import { Adviser, adviserOf } from './adviser.tsx'
import { Blocks, currentFacts, listInlines } from './blocks.tsx'
import { editable } from './editable.ts'
import { SourceLine } from './figures.tsx'
import { AskBand, AskCard, crumbsTo, PageHead } from './page-head.tsx'
import { landscapeAt } from './picture.tsx'

/** Articles under *Read next*: one row. */
const READ_NEXT = 3

interface ArticleProps {
  readonly body: ArticleBody
  readonly publishedAt: string | null
  readonly changedAt: string | null
  readonly crumbs: readonly MenuLink[]
  readonly site: SiteSettings
}

export function ArticlePage({ body, publishedAt, changedAt, crumbs, site }: ArticleProps) {
  const { texts, live } = site
  const person = adviserOf(body, site)
  const others = listArticles(live).filter(({ path }) => path !== body.path)
  const picture = (
    <img className="site-head-picture" src={landscapeAt(body.path)} alt="" fetchPriority="low" />
  )
  return (
    <>
      <PageHead crumbs={crumbs} title={body.title} isDocument site={site} picture={picture}>
        <p className="quiet small">
          {!person && body.author && <span {...editable(site, 'author')}>{texts.news.by(body.author)}</span>}{' '}
          <Dates publishedAt={publishedAt} changedAt={changedAt} site={site} />
        </p>
        <Adviser person={person} label={texts.news.writer} site={site} />
      </PageHead>
      <div className="site-section site-article-page">
        <article className="site-article">
          <p className="site-article-lead" {...editable(site, 'description')}>
            {keepTogether(body.description)}
          </p>
          <Blocks blocks={body.blocks} site={site} hasSourcesBeside />
        </article>
        <div className="site-article-side">
          <Sources body={body} site={site} />
          <AskCard
            href="/contact#get-in-touch"
            heading={texts.news.ask}
            action={texts.documents.ask}
            adviser={person}
            site={site}
          />
        </div>
      </div>
      {others.length > 0 && <ReadNext articles={others.slice(0, READ_NEXT)} site={site} />}
    </>
  )
}

function Sources({ body, site }: Pick<ArticleProps, 'body' | 'site'>) {
  const { texts } = site
  const facts = currentFacts(listInlines(body.blocks), site)
  const sources = new Map<string, Fact>(facts.map(fact => [`${fact.asAt} ${fact.source.url}`, fact]))
  if (sources.size === 0) return null
  return (
    <section className="site-sources">
      <h2>{texts.news.sources}</h2>
      <ul>
        {[...sources].map(([key, { asAt, source }]) => (
          <li key={key}>
            <SourceLine date={asAt} source={source} texts={texts} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ReadNext({ articles, site }: { articles: readonly LiveArticle[]; site: SiteSettings }) {
  return (
    <section className="site-section site-section-sand">
      <h2>{site.texts.news.next}</h2>
      <ul className="site-teasers">
        {articles.map(({ path, body: { title, description }, publishedAt }) => (
          <li key={path} className="site-teaser">
            <Day time={publishedAt} site={site} />
            <h3 className="site-teaser-title">
              <a href={path}>{title}</a>
            </h3>
            <p className="quiet">{description}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The change is left out while it is of the same day. */
function Dates({ publishedAt, changedAt, site }: Pick<ArticleProps, 'publishedAt' | 'changedAt' | 'site'>) {
  if (!publishedAt || !changedAt) return null
  const published = showDate(publishedAt, site)
  const changed = showDate(changedAt, site)
  const { news } = site.texts
  return <>{changed === published ? news.published(published) : news.changed(published, changed)}</>
}

/** When an article appeared, which a draft has not. */
function Day({ time, site }: { time: string | null; site: SiteSettings }) {
  if (!time) return null
  return (
    <time dateTime={time} className="quiet small">
      {showDate(time, site)}
    </time>
  )
}

export function showDate(time: string, { content, texts }: SiteSettings): string {
  return texts.date(dateIn(new Date(time), content.company.timeZone))
}

export function NewsPage({ site }: { site: SiteSettings }) {
  const { news, documents } = site.texts
  return (
    <Layout site={site} current="/news">
      <PageHead crumbs={crumbsTo('article', site)} title={news.heading} lead={news.lead} site={site} />
      <div className="site-section">
        <Articles site={site} />
      </div>
      <AskBand href="/contact#get-in-touch" heading={documents.question} site={site} />
    </Layout>
  )
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
            <p className="quiet">{description}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
