import type { Content } from '../../content/schema.ts'
import { sentence } from '../../i18n/sentence.ts'
import type { Texts } from '../../i18n/texts.ts'
import { editable } from './editable.ts'
import { AsAt, Figures, SourceLink } from './figures.tsx'
import { findVisaPage, numbersOf } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

type VisaCategory = Content['visaCategories'][number]

/** The open visa categories, then the closed ones with their replacements. */
export function VisaCategories({ site }: { site: SiteSettings }) {
  const { texts } = site
  const { visaCategories } = site.content
  return (
    <section className="site-section" id="visas">
      <h2>{texts.visas.heading}</h2>
      <p className="lead site-section-lead">{texts.visas.lead}</p>
      <ul className="site-cards">
        {visaCategories.map(
          (category, at) =>
            category.programme.status === 'open' && (
              <VisaCard key={category.title} category={category} at={at} site={site} />
            ),
        )}
      </ul>
      <h3 className="site-closed-heading">{texts.visas.closed}</h3>
      <ul className="site-cards">
        {visaCategories.map(
          (category, at) =>
            category.programme.status === 'closed' && (
              <VisaCard key={category.title} category={category} at={at} site={site} />
            ),
        )}
      </ul>
    </section>
  )
}

function VisaCard({ category, at, site }: { category: VisaCategory; at: number; site: SiteSettings }) {
  const { texts } = site
  const edit = (field: string) => editable(site, `visaCategories.${at}.${field}`)
  const { title, description, subclasses, facts, figures, more, programme, service } = category
  const page = findVisaPage(site.live, category)
  return (
    <li className="site-card site-visa">
      <h3 {...edit('title')}>{page ? <a href={page.path}>{title}</a> : title}</h3>
      <p className="site-subclasses" {...edit('subclasses')}>
        <span className="visually-hidden">{texts.visas.subclasses} </span>
        {numbersOf(category).map(number => (
          <span key={number} className="site-subclass">
            {number}
          </span>
        ))}
      </p>
      <ClosedNotice programme={programme} texts={texts} {...edit('programme')} />
      <p {...edit('description')}>{description}</p>
      <details className="site-visa-details" open={site.isPreview}>
        <summary>{texts.visas.details}</summary>
        <ul className="site-facts">
          {facts.map((fact, place) => (
            <li key={fact} {...edit(`facts.${place}.text`)}>
              {fact}
            </li>
          ))}
        </ul>
        {subclasses.length > 1 && <Subclasses subclasses={subclasses} edit={edit} />}
        <Figures figures={figures} field={`visaCategories.${at}.figures`} site={site} />
        <p className="site-as-at" {...edit('more.label')}>
          {sentence(texts.visas.more(<a href={more.url}>{more.label}</a>))}
        </p>
      </details>
      <a className="site-card-action" href={`/contact?form=visa-assessment&service=${service}#get-in-touch`}>
        {texts.visas.ask}{' '}
        <span className="visually-hidden" {...edit('title')}>
          {texts.visas.about(title)}
        </span>
      </a>
    </li>
  )
}

function Subclasses({
  subclasses,
  edit,
}: Pick<VisaCategory, 'subclasses'> & { edit: (field: string) => ReturnType<typeof editable> }) {
  return (
    <dl className="site-subclass-list">
      {subclasses.map(({ name, numbers }, at) => (
        <div key={name}>
          <dt {...edit(`subclasses.${at}.name`)}>{name}</dt>
          <dd {...edit(`subclasses.${at}.numbers`)}>{numbers.join(', ')}</dd>
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
      <AsAt date={asAt} source={source} texts={texts} />
    </p>
  )
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
