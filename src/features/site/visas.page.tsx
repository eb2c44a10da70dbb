import type { Texts } from '../../i18n/texts.ts'
import { Layout } from './layout.tsx'
import { isAboutSame, listVisas, type Subclasses } from './live-documents.ts'
import { AskBand, PageHead } from './page-head.tsx'
import type { SiteSettings } from './site-settings.ts'
import { Numbers } from './visa.tsx'

/** A visa in the list: its page, or a category of the home page that has none. */
interface Entry {
  readonly href: string
  readonly title: string
  readonly description: string
  readonly visa: Subclasses
  readonly isOpen: boolean
}

/** Every visa that the site describes. */
export function VisasPage({ site }: { site: SiteSettings }) {
  const { texts } = site
  const entries = listEntries(site)
  const closed = entries.filter(({ isOpen }) => !isOpen)
  return (
    <Layout site={site} current="/visas">
      <PageHead crumbs={visasCrumbs(site)} texts={texts}>
        <h1>{texts.visaIndex.heading}</h1>
        <p className="lead">{texts.visaIndex.lead}</p>
      </PageHead>
      <div className="site-section">
        <Visas entries={entries.filter(({ isOpen }) => isOpen)} texts={texts} />
        {closed.length > 0 && (
          <>
            <p className="site-eyebrow site-closed-heading">{texts.visas.closed}</p>
            <Visas entries={closed} texts={texts} />
          </>
        )}
      </div>
      <AskBand
        href="/contact?form=visa-assessment#get-in-touch"
        heading={texts.visaIndex.ask}
        texts={texts}
      />
    </Layout>
  )
}

export function visasCrumbs({ texts }: SiteSettings) {
  return [
    { href: '/', label: texts.header.home },
    { href: '/visas', label: texts.visaIndex.heading },
  ]
}

function listEntries({ live, content }: SiteSettings): readonly Entry[] {
  const visas = listVisas(live)
  const others = content.visaCategories.filter(category =>
    visas.every(({ body }) => !isAboutSame(body, category)),
  )
  const pages = visas.map(({ path, body }) => ({ ...body, href: path }))
  const cards = others.map(category => ({ ...category, href: '/#visas' }))
  return [...pages, ...cards].map(visa => ({
    ...visa,
    visa,
    isOpen: visa.programme.status === 'open',
  }))
}

function Visas({ entries, texts }: { entries: readonly Entry[]; texts: Texts }) {
  return (
    <ul className="site-visas">
      {entries.map(({ href, title, description, visa }) => (
        <li key={title} className="site-visa-row">
          <Numbers visa={visa} texts={texts} />
          <div>
            <h2 className="site-teaser-title">
              <a href={href}>{title}</a>
            </h2>
            <p>{description}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
