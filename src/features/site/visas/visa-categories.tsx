import { showFigures } from '../../../content/site-content.ts'
import { type ListedVisa, listVisas } from '../../../content/visas.ts'
import { sentence } from '../../../i18n/no-break.ts'
import type { Texts } from '../../../i18n/texts.ts'
import { editable, editVisa } from '../blocks/editable.ts'
import { Ended, Figures, isPast, SourceLine, SourceLink, Sources } from '../blocks/figures.tsx'
import { leadingNumbers } from '../live-documents.ts'
import type { SiteSettings } from '../site-settings.ts'
import { ClosedVisas } from './closed-visas.tsx'
import { Arrow } from './visa-finder.tsx'

interface CardProps {
  readonly visa: ListedVisa
  readonly site: SiteSettings
}

/** The open visas of the list as cards, the closed ones as one row, and figures from the law. */
export function VisaCategories({ site }: { site: SiteSettings }) {
  const { visas } = site.texts
  const shown = listVisas(site.live).filter(({ isOnHome }) => isOnHome)
  return (
    <section className="site-section" id="visas">
      <div className="site-split">
        <h2>{visas.heading}</h2>
        <p>{visas.lead}</p>
      </div>
      <ul className="site-visa-cards">
        {shown.map(visa => isCard(visa, site) && <VisaCard key={visa.id} visa={visa} site={site} />)}
      </ul>
      <ClosedVisas site={site} />
      <Claims site={site} />
    </section>
  )
}

/** Closed ones are in one row. What no page says of them has a card for staff only, so that a press finds its field. */
function isCard({ programme, page }: ListedVisa, { isPreview }: SiteSettings): boolean {
  return programme.status === 'open' || (isPreview === true && !page)
}

function VisaCard({ visa, site }: CardProps) {
  const { visas } = site.texts
  const { title, text, page } = visa
  const ask = `/contact?form=visa-assessment&service=${visa.service}#get-in-touch`
  return (
    <li className="site-visa-card">
      <h3 {...editVisa(site, visa, 'title')}>
        <a className="site-visa-link" href={page?.path ?? ask}>
          {title}
        </a>
      </h3>
      <Numbers visa={visa} site={site} />
      <p className="quiet site-visa-sentence" {...editVisa(site, visa, 'description')}>
        {text}
      </p>
      <span className="line site-card-action" aria-hidden="true">
        <span>{page ? visas.read : visas.ask}</span> <Arrow />
      </span>
      {!page && <Details visa={visa} site={site} />}
    </li>
  )
}

function Numbers({ visa, site }: CardProps) {
  const { visas, visaPage } = site.texts
  const { named, others } = leadingNumbers(visa)
  return (
    <p className="site-card-numbers" {...editVisa(site, visa, 'subclasses')}>
      <small>{visas.subclasses(named.length + others)}</small>{' '}
      {named.map(number => (
        <span key={number}>{number} </span>
      ))}
      {others > 0 && <small>{visaPage.others(others)}</small>}
    </p>
  )
}

/** What the page of the visa says, where there is none. */
function Details({ visa, site }: CardProps) {
  const { visas } = site.texts
  const { subclasses, facts, figures, more, programme } = visa
  return (
    <details className="site-visa-details" open={site.isPreview}>
      <summary>{visas.details}</summary>
      <ClosedNotice programme={programme} texts={site.texts} {...editVisa(site, visa, 'programme')} />
      <ul className="site-facts">
        {facts.map(({ id, text }, place) => (
          <li key={id} {...editVisa(site, visa, `facts.${place}.text`)}>
            {text}
          </li>
        ))}
      </ul>
      {subclasses.length > 1 && <Subclasses visa={visa} site={site} />}
      <Figures
        figures={showFigures(figures, site.live.facts)}
        field={`visaCategories.${visa.at}.figures`}
        site={site}
      />
      <p className="site-as-at" {...editVisa(site, visa, 'more.label')}>
        {sentence(visas.more(<a href={more.url}>{more.label}</a>))}
      </p>
    </details>
  )
}

function Subclasses({ visa, site }: CardProps) {
  return (
    <dl className="facts site-subclass-list">
      {visa.subclasses.map(({ id, name, numbers }, at) => (
        <div key={id}>
          <dt {...editVisa(site, visa, `subclasses.${at}.name`)}>{name}</dt>
          <dd {...editVisa(site, visa, `subclasses.${at}.numbers`)}>{numbers.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Nothing while the programme is open. */
export function ClosedNotice({
  programme,
  texts,
  ...attributes
}: Pick<ListedVisa, 'programme'> & { texts: Texts; 'data-edit'?: string }) {
  if (programme.status === 'open') return null
  const { closedAfter, replacedBy, asAt, source } = programme
  const replacement = <SourceLink source={{ label: replacedBy.title, url: replacedBy.url }} />
  return (
    <p className="site-closed-notice" {...attributes}>
      <strong>{texts.visas.closedSince(texts.date(closedAfter))}</strong>{' '}
      {sentence(texts.visas.replacedBy(replacement, lowerFirst(replacedBy.description)))}{' '}
      <SourceLine date={asAt} source={source} texts={texts} />
    </p>
  )
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Figures of the law, one line each, and one line with their dates and sources. */
function Claims({ site }: { site: SiteSettings }) {
  const { claims } = site.texts
  const shown = numbered(site).flatMap(({ claim, at }) => (claim.kind === 'sourced' ? [{ claim, at }] : []))
  if (shown.length === 0) return null
  return (
    <section className="facts site-claims" aria-label={claims.label}>
      <dl>
        {shown.map(({ claim, at }) => (
          <div key={claim.label} className="site-claim">
            <dt {...editable(site, `claims.${at}.label`)}>{claim.label}</dt>
            <dd {...editable(site, `claims.${at}.fact`)}>
              {isPast(claim, site.today) ? <Ended source={claim.source} texts={site.texts} /> : claim.value}
            </dd>
          </div>
        ))}
      </dl>
      <p className="site-as-at">
        <Sources figures={shown.map(({ claim }) => claim)} texts={site.texts} />
        {claims.change}
      </p>
    </section>
  )
}

/** What the agency says of itself, each with its note. */
export function OwnClaims({ site }: { site: SiteSettings }) {
  const own = numbered(site).flatMap(({ claim, at }) => (claim.kind === 'own' ? [{ claim, at }] : []))
  if (own.length === 0) return null
  return (
    <section className="site-section facts site-claims" aria-label={site.texts.claims.own}>
      <dl>
        {own.map(({ claim, at }) => (
          <div key={claim.label} className="site-claim">
            <dt {...editable(site, `claims.${at}.label`)}>{claim.label}</dt>
            <dd {...editable(site, `claims.${at}.value`)}>{claim.value}</dd>
            <dd className="site-as-at" {...editable(site, `claims.${at}.note`)}>
              {claim.note}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function numbered({ content }: SiteSettings) {
  return content.claims.map((claim, at) => ({ claim, at }))
}
