import type { VisaBody } from '../../content/page-bodies.ts'
import { askAbout } from '../../content/reserved-paths.ts'
import { sentence } from '../../i18n/sentence.ts'
import type { MenuLink } from '../../ui/header.tsx'
import { Blocks, listParts } from './blocks.tsx'
import { editable } from './editable.ts'
import { FactTable } from './fact-table.tsx'
import { SourceLink } from './figures.tsx'
import { AskBand, AskCard, PageHead } from './page-head.tsx'
import { RelatedVisas } from './related-visas.tsx'
import type { SiteSettings } from './site-settings.ts'
import { slideImages } from './slide-images.ts'
import { ClosedNotice } from './visa-categories.tsx'
import { Numbers } from './visa-numbers.tsx'

interface VisaProps {
  readonly body: VisaBody
  readonly crumbs: readonly MenuLink[]
  readonly site: SiteSettings
}

export function VisaPage({ body, crumbs, site }: VisaProps) {
  const { texts } = site
  const ask = askAbout(body.path)
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={body.title}
        lead={body.description}
        isDocument
        site={site}
        picture={<Soundings body={body} site={site} />}
      >
        <Status body={body} site={site} />
      </PageHead>
      <Contents body={body} site={site} />
      <div className="site-section site-parts site-visa-page">
        <Glance body={body} ask={ask} site={site} />
        <Blocks blocks={body.blocks} site={site} />
        <RelatedVisas body={body} site={site} />
      </div>
      <AskBand href={ask} heading={texts.visas.ask} site={site} />
    </>
  )
}

/** The subclass numbers, large, before a landscape. */
function Soundings({ body, site }: Pick<VisaProps, 'body' | 'site'>) {
  return (
    <div className="site-head-picture site-soundings" {...editable(site, 'subclasses')}>
      <img src={slideImages['red-centre']} alt="" fetchPriority="low" />
      <Numbers visa={body} texts={site.texts} />
    </div>
  )
}

/** As at the oldest date of the figures that are shown below, since nobody knows more than these say. */
function Status({ body: { programme, figures }, site }: Pick<VisaProps, 'body' | 'site'>) {
  const { visaPage } = site.texts
  if (programme.status === 'closed')
    return (
      <div {...editable(site, 'programme')}>
        <ClosedNotice programme={programme} texts={site.texts} />
      </div>
    )
  const dates = figures.flatMap(({ fact }) => site.live.facts.get(fact)?.asAt ?? [])
  const asAt = dates.toSorted()[0]
  return (
    <p className="site-open" {...editable(site, 'programme')}>
      <strong>{visaPage.open}</strong> {asAt && visaPage.asAt(site.texts.date(asAt))}
    </p>
  )
}

/** Leads to the parts of the page. */
function Contents({ body: { blocks }, site }: Pick<VisaProps, 'body' | 'site'>) {
  const { documents, visaPage } = site.texts
  const parts = [{ id: GLANCE, label: visaPage.glance }, ...listParts(blocks)]
  return (
    <nav className="site-contents" aria-labelledby="contents">
      <strong id="contents">{documents.contents}</strong>
      <ul>
        {parts.map(({ id, label }) => (
          <li key={id}>
            <a href={`#${id}`}>{label}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const GLANCE = 'at-a-glance'

function Glance({ body, ask, site }: Pick<VisaProps, 'body' | 'site'> & { ask: string }) {
  const { texts } = site
  return (
    <section className="site-glance" id={GLANCE}>
      <div>
        <h2>{texts.visaPage.glance}</h2>
        <FactTable figures={body.figures} site={site} />
        {body.subclasses.length > 1 && <Subclasses body={body} site={site} />}
        <Known body={body} site={site} />
        <p className="site-table-source site-as-at" {...editable(site, 'more')}>
          {sentence(texts.visas.more(<SourceLink source={body.more} />))}
        </p>
      </div>
      {body.programme.status === 'open' ? (
        <AskCard href={ask} heading={texts.visaPage.reach} action={texts.visas.ask} site={site} />
      ) : (
        <AskCard href={ask} heading={texts.documents.question} action={texts.documents.ask} site={site} />
      )}
    </section>
  )
}

function Subclasses({ body, site }: Pick<VisaProps, 'body' | 'site'>) {
  return (
    <dl className="site-table">
      {body.subclasses.map(({ id, name, numbers }, at) => (
        <div key={id} {...editable(site, `subclasses.${at}`)}>
          <dt>{name}</dt>
          <dd>
            <strong>{numbers.join(', ')}</strong>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Known({ body, site }: Pick<VisaProps, 'body' | 'site'>) {
  if (body.facts.length === 0) return null
  return (
    <>
      <h3 className="site-known-title">{site.texts.visaPage.know}</h3>
      <ul className="site-known">
        {body.facts.map(({ id, text }, at) => (
          <li key={id} {...editable(site, `facts.${at}.text`)}>
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
