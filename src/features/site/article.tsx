import { dateIn } from '../../clock.ts'
import type { ArticleBody } from '../../content/page-bodies.ts'
import type { MenuLink } from '../../ui/header.tsx'
import { Blocks } from './blocks.tsx'
import { editable } from './editable.ts'
import { type LiveArticle, listArticles } from './live-documents.ts'
import { PageHead } from './page-head.tsx'
import type { SiteSettings } from './site-settings.ts'
import { slideImages } from './slide-images.ts'

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
  const others = listArticles(live).filter(({ path }) => path !== body.path)
  return (
    <>
      <PageHead
        crumbs={crumbs}
        texts={texts}
        picture={<img className="site-head-picture" src={slideImages['rainforest-coast']} alt="" />}
      >
        <h1 {...editable(site, 'title')}>{body.title}</h1>
        <p className="site-byline">
          <span {...editable(site, 'author')}>{texts.news.by(body.author)}</span>{' '}
          <Dates publishedAt={publishedAt} changedAt={changedAt} site={site} />
        </p>
      </PageHead>
      <article className="site-section site-article">
        <p className="site-article-lead" {...editable(site, 'description')}>
          {body.description}
        </p>
        <Blocks blocks={body.blocks} site={site} />
      </article>
      {others.length > 0 && (
        <section className="site-section site-section-sand">
          <h2>{texts.news.next}</h2>
          <ArticleList articles={others.slice(0, READ_NEXT)} level={3} site={site} />
        </section>
      )}
    </>
  )
}

/** Teasers, each with the day on which the article appeared. */
export function ArticleList({
  articles,
  level,
  site,
}: {
  articles: readonly LiveArticle[]
  /** Of the heading of each. */
  level: 2 | 3
  site: SiteSettings
}) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <ul className="site-teasers">
      {articles.map(({ path, body: { title, description }, publishedAt }) => (
        <li key={path} className="site-teaser">
          {publishedAt && <Day time={publishedAt} site={site} />}
          <Heading className="site-teaser-title">
            <a href={path}>{title}</a>
          </Heading>
          <p>{description}</p>
        </li>
      ))}
    </ul>
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

function Day({ time, site }: { time: string; site: SiteSettings }) {
  return (
    <time dateTime={time} className="site-day">
      {showDate(time, site)}
    </time>
  )
}

/** The date of a moment at the office. */
export function showDate(time: string, { content, texts }: SiteSettings): string {
  return texts.date(dateIn(new Date(time), content.company.timeZone))
}
