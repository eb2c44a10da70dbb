import type { Content } from '../../content/schema.ts'
import { sentence } from '../../i18n/sentence.ts'
import type { Texts } from '../../i18n/texts.ts'
import { AsAt, Figures } from './figures.tsx'

type VisaCategory = Content['visaCategories'][number]

/** The open visa categories, then the closed ones with their replacements. */
export function VisaCategories({
  visaCategories,
  texts,
}: Pick<Content, 'visaCategories'> & { texts: Texts }) {
  const open = visaCategories.filter(({ programme }) => programme.status === 'open')
  const closed = visaCategories.filter(({ programme }) => programme.status === 'closed')
  return (
    <section className="site-section" id="visas">
      <h2>{texts.visas.heading}</h2>
      <p className="lead site-section-lead">{texts.visas.lead}</p>
      <ul className="site-cards">
        {open.map(category => (
          <VisaCard key={category.title} category={category} texts={texts} />
        ))}
      </ul>
      <h3 className="site-closed-heading">{texts.visas.closed}</h3>
      <ul className="site-cards">
        {closed.map(category => (
          <VisaCard key={category.title} category={category} texts={texts} />
        ))}
      </ul>
    </section>
  )
}

function VisaCard({ category, texts }: { category: VisaCategory; texts: Texts }) {
  const { title, description, subclasses, facts, figures, more, service } = category
  return (
    <li className="site-card site-visa">
      <h3>{title}</h3>
      <p className="site-subclasses">
        <span className="visually-hidden">{texts.visas.subclasses} </span>
        {[...new Set(subclasses.flatMap(({ numbers }) => numbers))].map(number => (
          <span key={number} className="site-subclass">
            {number}
          </span>
        ))}
      </p>
      <ClosedNotice category={category} texts={texts} />
      <p>{description}</p>
      <details className="site-visa-details">
        <summary>{texts.visas.details}</summary>
        <ul className="site-facts">
          {facts.map(fact => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        {subclasses.length > 1 && <Subclasses subclasses={subclasses} />}
        <Figures figures={figures} texts={texts} />
        <p className="site-as-at">{sentence(texts.visas.more(<a href={more.url}>{more.label}</a>))}</p>
      </details>
      <a className="site-card-action" href={`/contact?form=visa-assessment&service=${service}#get-in-touch`}>
        {texts.visas.ask} <span className="visually-hidden">{texts.visas.about(title)}</span>
      </a>
    </li>
  )
}

function Subclasses({ subclasses }: Pick<VisaCategory, 'subclasses'>) {
  return (
    <dl className="site-subclass-list">
      {subclasses.map(({ name, numbers }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{numbers.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}

function ClosedNotice({ category: { programme }, texts }: { category: VisaCategory; texts: Texts }) {
  if (programme.status === 'open') return null
  const { closedAfter, replacedBy, asAt, source } = programme
  const replacement = <a href={replacedBy.url}>{replacedBy.title}</a>
  return (
    <p className="site-closed-notice">
      <strong>{texts.visas.closedSince(texts.date(closedAfter))}</strong>{' '}
      {sentence(texts.visas.replacedBy(replacement, lowerFirst(replacedBy.description)))}{' '}
      <AsAt date={asAt} source={source} texts={texts} />
    </p>
  )
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
