import type { SiteBody } from '../../content/site-body.ts'
import { keepTogether } from '../../i18n/no-break.ts'
import type { Texts } from '../../i18n/texts.ts'
import { Layout } from './layout.tsx'
import { findVisaPage, listVisas, type Subclasses } from './live-documents.ts'
import { AskBand, PageHead } from './page-head.tsx'
import type { SiteSettings } from './site-settings.ts'
import { ClosedNotice } from './visa-categories.tsx'
import { Numbers } from './visa-numbers.tsx'

type Programme = SiteBody['visaCategories'][number]['programme']

/** A visa in the list: its page, or a category of the home page that has none. */
interface Entry extends Subclasses {
  readonly href: string
  readonly title: string
  readonly description: string
  readonly programme: Programme
}

/** Every visa that the site describes. */
export function VisasPage({ site }: { site: SiteSettings }) {
  const { texts } = site
  const entries = listEntries(site)
  const isOpen = ({ programme }: Entry) => programme.status === 'open'
  return (
    <Layout site={site} current="/visas">
      <PageHead
        crumbs={visasCrumbs(site)}
        title={texts.visaIndex.heading}
        lead={texts.visaIndex.lead}
        site={site}
      />
      <div className="site-section">
        <Visas entries={entries.filter(isOpen)} level={2} texts={texts} />
      </div>
      <ClosedVisas entries={entries.filter(entry => !isOpen(entry))} texts={texts} />
      <AskBand href="/contact?form=visa-assessment#get-in-touch" heading={texts.visaIndex.ask} site={site} />
    </Layout>
  )
}

export function visasCrumbs({ texts }: SiteSettings) {
  return [
    { href: '/', label: texts.header.home },
    { href: '/visas', label: texts.visaIndex.heading },
  ]
}

/** In the order of the home page, then what has no category there. */
function listEntries({ live, content }: SiteSettings): readonly Entry[] {
  const known = content.visaCategories.map(category => {
    const page = findVisaPage(live, category)
    return page ? { ...page.body, href: page.path } : { ...category, href: '/#visas' }
  })
  const pages = listVisas(live).map(({ path, body }) => ({ ...body, href: path }))
  const once = new Map([...known, ...pages].map(entry => [`${entry.href} ${entry.title}`, entry]))
  return [...once.values()]
}

/** What closed, said once for all visas of one programme. */
function ClosedVisas({ entries, texts }: { entries: readonly Entry[]; texts: Texts }) {
  if (entries.length === 0) return null
  const programmes = new Map(entries.map(({ programme }) => [JSON.stringify(programme), programme]))
  return (
    <section className="site-section site-section-sand">
      <h2>{texts.visas.closed}</h2>
      {[...programmes].map(([key, programme]) => (
        <ClosedNotice key={key} programme={programme} texts={texts} />
      ))}
      <Visas entries={entries} level={3} texts={texts} />
    </section>
  )
}

interface VisasProps {
  readonly entries: readonly Entry[]
  /** Of the heading of each. */
  readonly level: 2 | 3
  readonly texts: Texts
}

function Visas({ entries, level, texts }: VisasProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <ul className="site-rows">
      {entries.map(entry => (
        <li key={entry.title} className="site-row">
          <Numbers visa={entry} texts={texts} />
          <div>
            <Heading className="site-row-title">
              <a href={entry.href}>{keepTogether(entry.title)}</a>
            </Heading>
            <p>{keepTogether(entry.description)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
