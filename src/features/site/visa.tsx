import type { VisaBody } from '../../content/page-bodies.ts'
import { sentence } from '../../i18n/sentence.ts'
import type { Texts } from '../../i18n/texts.ts'
import type { MenuLink } from '../../ui/header.tsx'
import { showDate } from './article.tsx'
import { Blocks } from './blocks.tsx'
import { editable } from './editable.ts'
import { FactFigure, SourceLink } from './figures.tsx'
import { namedNumbers, type Subclasses } from './live-documents.ts'
import { AskBand, PageHead } from './page-head.tsx'
import type { SiteSettings } from './site-settings.ts'
import { slideImages } from './slide-images.ts'
import { ClosedNotice } from './visa-categories.tsx'

interface VisaProps {
  readonly body: VisaBody
  readonly changedAt: string | null
  readonly crumbs: readonly MenuLink[]
  readonly site: SiteSettings
}

export function VisaPage({ body, changedAt, crumbs, site }: VisaProps) {
  const { texts } = site
  const ask = `/contact?form=visa-assessment&service=${body.service}#get-in-touch`
  return (
    <>
      <PageHead crumbs={crumbs} texts={texts} picture={<Soundings body={body} site={site} />}>
        <h1 {...editable(site, 'title')}>{body.title}</h1>
        <p className="lead" {...editable(site, 'description')}>
          {body.description}
        </p>
        <Status body={body} changedAt={changedAt} site={site} />
      </PageHead>
      <div className="site-section site-parts">
        <section className="site-glance">
          <div>
            <h2>{texts.visaPage.glance}</h2>
            <Facts body={body} site={site} />
          </div>
          <Ask body={body} href={ask} site={site} />
        </section>
        <Blocks blocks={body.blocks} site={site} />
      </div>
      <AskBand href={ask} heading={texts.visas.ask} texts={texts} />
    </>
  )
}

/** The subclass numbers, large, before a landscape. */
function Soundings({ body, site }: Pick<VisaProps, 'body' | 'site'>) {
  return (
    <div className="site-head-picture site-soundings" {...editable(site, 'subclasses')}>
      <img src={slideImages['red-centre']} alt="" />
      <Numbers visa={body} texts={site.texts} />
    </div>
  )
}

/** The first subclass numbers, and how many there are beside them. */
export function Numbers({ visa, texts }: { visa: Subclasses; texts: Texts }) {
  const { named, others } = namedNumbers(visa)
  return (
    <p className="site-numbers">
      <span className="visually-hidden">{texts.visas.subclasses} </span>
      {named.map(number => (
        <span key={number}>{number} </span>
      ))}
      {others > 0 && <small>{texts.visaPage.others(others)}</small>}
    </p>
  )
}

function Status({ body: { programme }, changedAt, site }: Pick<VisaProps, 'body' | 'changedAt' | 'site'>) {
  const { visaPage } = site.texts
  if (programme.status === 'closed')
    return (
      <div {...editable(site, 'programme')}>
        <ClosedNotice programme={programme} texts={site.texts} />
      </div>
    )
  return (
    <p className="site-open" {...editable(site, 'programme')}>
      <strong>{visaPage.open}</strong> {changedAt && visaPage.asAt(showDate(changedAt, site))}
    </p>
  )
}

/** What the visa asks for, its figures and its subclasses. */
function Facts({ body: { facts, figures, subclasses }, site }: Pick<VisaProps, 'body' | 'site'>) {
  return (
    <>
      <ul className="site-visa-facts">
        {facts.map(({ id, text }, at) => (
          <li key={id} {...editable(site, `facts.${at}.text`)}>
            {text}
          </li>
        ))}
      </ul>
      <dl className="site-table">
        {figures.map(({ id, label, fact }, at) => (
          <div key={id} {...editable(site, `figures.${at}`)}>
            <dt>{label}</dt>
            <FactFigure fact={site.live.facts.get(fact)} today={site.today} texts={site.texts} />
          </div>
        ))}
        {subclasses.map(({ id, name, numbers }, at) => (
          <div key={id} {...editable(site, `subclasses.${at}`)}>
            <dt>{name}</dt>
            <dd>
              <strong>{numbers.join(', ')}</strong>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Ask({ body, href, site }: Pick<VisaProps, 'body' | 'site'> & { href: string }) {
  const { texts, content } = site
  const { name, title, registrationNumber } = content.agent
  return (
    <aside className="site-aside">
      <div className="site-ask-card">
        <p>{texts.documents.reads}</p>
        <a className="button button-primary" href={href}>
          {texts.visas.ask}
        </a>
        <p className="site-as-at">
          {name}, {texts.agent.registration(title, registrationNumber)}
        </p>
      </div>
      <p className="site-as-at" {...editable(site, 'more')}>
        {sentence(texts.visas.more(<SourceLink source={body.more} />))}
      </p>
    </aside>
  )
}
