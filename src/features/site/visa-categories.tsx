import type { Content } from '../../content/schema.ts'
import { sentence } from '../../i18n/sentence.ts'
import type { Texts } from '../../i18n/texts.ts'
import { Arrow } from './arrow.tsx'
import { Claims } from './claims.tsx'
import { ClosedVisas } from './closed-visas.tsx'
import { editable } from './editable.ts'
import { Figures, SourceLine, SourceLink } from './figures.tsx'
import { findVisaPage, isCovered, leadingNumbers } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

type VisaCategory = Content['visaCategories'][number]

interface CardProps {
  readonly category: VisaCategory
  /** Its place in the site document. */
  readonly at: number
  readonly site: SiteSettings
}

/** The open visa categories as cards, the closed ones as one row, and figures from the law. */
export function VisaCategories({ site }: { site: SiteSettings }) {
  const { visas } = site.texts
  return (
    <section className="site-section" id="visas">
      <div className="site-split">
        <h2>{visas.heading}</h2>
        <p className="site-section-lead">{visas.lead}</p>
      </div>
      <ul className="site-visa-cards">
        {site.content.visaCategories.map(
          (category, at) =>
            isShown(category, site) && (
              <VisaCard key={category.title} category={category} at={at} site={site} />
            ),
        )}
      </ul>
      <ClosedVisas site={site} />
      <Claims site={site} />
    </section>
  )
}

/** One that only repeats others has no card, but staff who edit it see it in the preview. */
function isShown(category: VisaCategory, { content, isPreview }: SiteSettings): boolean {
  if (isPreview) return true
  return category.programme.status === 'open' && !isCovered(category, content.visaCategories)
}

function VisaCard({ category, at, site }: CardProps) {
  const { visas } = site.texts
  const edit = (field: string) => editable(site, `visaCategories.${at}.${field}`)
  const page = findVisaPage(site.live, category)
  const ask = `/contact?form=visa-assessment&service=${category.service}#get-in-touch`
  return (
    <li className="site-visa-card">
      <h3 {...edit('title')}>
        <a className="site-visa-link" href={page?.path ?? ask}>
          {category.title}
        </a>
      </h3>
      <Numbers category={category} at={at} site={site} />
      <p className="site-visa-sentence" {...edit('description')}>
        {category.description}
      </p>
      <span className="site-card-action" aria-hidden="true">
        <span>{page ? visas.read : visas.ask}</span> <Arrow />
      </span>
      {(site.isPreview || !page) && <Details category={category} at={at} site={site} />}
    </li>
  )
}

function Numbers({ category, at, site }: CardProps) {
  const { visas, visaPage } = site.texts
  const { named, others } = leadingNumbers(category)
  return (
    <p className="site-card-numbers" {...editable(site, `visaCategories.${at}.subclasses`)}>
      <small>{visas.subclasses(named.length + others)}</small>{' '}
      {named.map(number => (
        <span key={number}>{number} </span>
      ))}
      {others > 0 && <small>{visaPage.others(others)}</small>}
    </p>
  )
}

/** What the page of the visa says, where there is none. */
function Details({ category, at, site }: CardProps) {
  const { visas } = site.texts
  const { subclasses, facts, figures, more, programme } = category
  const field = `visaCategories.${at}`
  return (
    <details className="site-visa-details" open={site.isPreview}>
      <summary>{visas.details}</summary>
      <ClosedNotice programme={programme} texts={site.texts} {...editable(site, `${field}.programme`)} />
      <ul className="site-facts">
        {facts.map((fact, place) => (
          <li key={fact} {...editable(site, `${field}.facts.${place}.text`)}>
            {fact}
          </li>
        ))}
      </ul>
      {subclasses.length > 1 && <Subclasses subclasses={subclasses} field={field} site={site} />}
      <Figures figures={figures} field={`${field}.figures`} site={site} />
      <p className="site-as-at" {...editable(site, `${field}.more.label`)}>
        {sentence(visas.more(<a href={more.url}>{more.label}</a>))}
      </p>
    </details>
  )
}

function Subclasses({
  subclasses,
  field,
  site,
}: Pick<VisaCategory, 'subclasses'> & { field: string; site: SiteSettings }) {
  return (
    <dl className="site-subclass-list">
      {subclasses.map(({ name, numbers }, at) => (
        <div key={name}>
          <dt {...editable(site, `${field}.subclasses.${at}.name`)}>{name}</dt>
          <dd {...editable(site, `${field}.subclasses.${at}.numbers`)}>{numbers.join(', ')}</dd>
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
}: Pick<VisaCategory, 'programme'> & { texts: Texts; 'data-edit'?: string }) {
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
