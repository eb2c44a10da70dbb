import { sentence } from '../../i18n/sentence.ts'
import { Layout, type SiteSettings } from './layout.tsx'
import { liveLinks } from './live-links.ts'
import { AskBand, PageHead } from './page-head.tsx'
import { slideImages } from './slide-images.ts'

export function NotFoundPage({ site }: { site: SiteSettings }) {
  const { notFound: texts, documents } = site.texts
  const contact = <a href="/contact">{texts.contact}</a>
  return (
    <Layout site={site} current="">
      <PageHead title={texts.title} lead={texts.lead} site={site} picture={<OffTheMap />}>
        <p>{sentence(texts.startAgain(<a href="/">{texts.home}</a>, contact))}</p>
      </PageHead>
      <Places site={site} />
      <AskBand href="/contact#get-in-touch" heading={documents.question} site={site} />
    </Layout>
  )
}

function OffTheMap() {
  return (
    <div className="site-head-picture site-soundings" aria-hidden="true">
      <img src={slideImages.harbour} alt="" fetchPriority="low" />
      <p className="site-numbers">404</p>
    </div>
  )
}

/** What the menu of the site leads to. */
function Places({ site }: { site: SiteSettings }) {
  const links = liveLinks(site.live.site.menu, site.live)
  if (links.length === 0) return null
  return (
    <nav className="site-section" aria-label={site.texts.notFound.places}>
      <ul className="site-teasers">
        {links.map(({ href, label }) => (
          <li key={href} className="site-teaser">
            <h2 className="site-teaser-title">
              <a href={href}>{label}</a>
            </h2>
          </li>
        ))}
      </ul>
    </nav>
  )
}
