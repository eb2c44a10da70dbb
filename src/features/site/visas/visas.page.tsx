import { type ListedVisa, listVisas, type Subclasses } from '../../../content/visas.ts'
import { keepTogether } from '../../../i18n/no-break.ts'
import type { Texts } from '../../../i18n/texts.ts'
import { AskBand, crumbsTo, PageHead } from '../blocks/page-head.tsx'
import { Layout } from '../layout.tsx'
import { namedNumbers } from '../live-documents.ts'
import type { SiteSettings } from '../site-settings.ts'
import { ClosedNotice } from './visa-categories.tsx'

export function VisasPage({ site }: { site: SiteSettings }) {
  const { texts } = site
  const visas = listVisas(site.live)
  const isOpen = ({ programme }: ListedVisa) => programme.status === 'open'
  return (
    <Layout site={site} current="/visas">
      <PageHead
        crumbs={crumbsTo('visa', site)}
        title={texts.visaIndex.heading}
        lead={texts.visaIndex.lead}
        site={site}
      />
      <div className="site-section">
        <Visas visas={visas.filter(isOpen)} level={2} texts={texts} />
      </div>
      <ClosedVisas visas={visas.filter(visa => !isOpen(visa))} texts={texts} />
      <AskBand href="/contact?form=visa-assessment#get-in-touch" heading={texts.visaIndex.ask} site={site} />
    </Layout>
  )
}

/** What closed, said once for all visas of one programme. */
function ClosedVisas({ visas, texts }: { visas: readonly ListedVisa[]; texts: Texts }) {
  if (visas.length === 0) return null
  const programmes = new Map(visas.map(({ programme }) => [JSON.stringify(programme), programme]))
  return (
    <section className="site-section site-section-sand">
      <h2>{texts.visas.closed}</h2>
      {[...programmes].map(([key, programme]) => (
        <ClosedNotice key={key} programme={programme} texts={texts} />
      ))}
      <Visas visas={visas} level={3} texts={texts} />
    </section>
  )
}

interface VisasProps {
  readonly visas: readonly ListedVisa[]
  /** Of the heading of each. */
  readonly level: 2 | 3
  readonly texts: Texts
}

function Visas({ visas, level, texts }: VisasProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <ul className="site-rows">
      {visas.map(visa => (
        <li key={visa.id} className="site-row">
          <Numbers visa={visa} texts={texts} />
          <div>
            <Heading className="site-row-title">
              <a href={visa.page?.path ?? '/#visas'}>{keepTogether(visa.page?.body.title ?? visa.title)}</a>
            </Heading>
            <p className="quiet">{keepTogether(visa.page?.body.description ?? visa.text)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The first subclass numbers, and how many there are beside them. */
export function Numbers({ visa, texts }: { visa: Subclasses; texts: Texts }) {
  const { named, others } = namedNumbers(visa)
  return (
    <p className="site-numbers">
      <span className="visually-hidden">{texts.visas.subclasses(named.length + others)} </span>
      {named.map(number => (
        <span key={number}>{number} </span>
      ))}
      {others > 0 && <small>{texts.visaPage.others(others)}</small>}
    </p>
  )
}
