import type { Content } from '../../content/schema.ts'
import { AsAt, Figures, formatDate } from './figures.tsx'

type VisaCategory = Content['visaCategories'][number]

/** The open visa categories, then the closed ones with their replacements. */
export function VisaCategories({ visaCategories }: Pick<Content, 'visaCategories'>) {
  const open = visaCategories.filter(({ programme }) => programme.status === 'open')
  const closed = visaCategories.filter(({ programme }) => programme.status === 'closed')
  return (
    <section className="section" id="visas">
      <h2>Visa categories</h2>
      <p className="lead section-lead">
        Find the visa that sounds like your plan. Open it for what it asks of you, or send us a question about
        it.
      </p>
      <ul className="cards visa-cards">
        {open.map(category => (
          <VisaCard key={category.title} category={category} />
        ))}
      </ul>
      <h3 className="closed-heading">Closed to new applications</h3>
      <ul className="cards visa-cards">
        {closed.map(category => (
          <VisaCard key={category.title} category={category} />
        ))}
      </ul>
    </section>
  )
}

function VisaCard({ category }: { category: VisaCategory }) {
  const { title, description, subclasses, facts, figures, more, service } = category
  return (
    <li className="card visa-card">
      <h3>{title}</h3>
      <p className="subclasses">
        <span className="visually-hidden">Subclasses </span>
        {[...new Set(subclasses.flatMap(({ numbers }) => numbers))].map(number => (
          <span key={number} className="subclass">
            {number}
          </span>
        ))}
      </p>
      <ClosedNotice category={category} />
      <p>{description}</p>
      <details className="visa-details">
        <summary>What to know</summary>
        <ul className="facts">
          {facts.map(fact => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        {subclasses.length > 1 && <Subclasses subclasses={subclasses} />}
        <Figures figures={figures} />
        <p className="as-at">
          Charges and waiting times change often. See <a href={more.url}>{more.label}</a>.
        </p>
      </details>
      <a className="card-action" href={`/contact?form=visa-assessment&service=${service}#get-in-touch`}>
        Ask about this visa <span className="visually-hidden">: {title}</span>
      </a>
    </li>
  )
}

function Subclasses({ subclasses }: Pick<VisaCategory, 'subclasses'>) {
  return (
    <dl className="subclass-list">
      {subclasses.map(({ name, numbers }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{numbers.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}

function ClosedNotice({ category: { programme } }: { category: VisaCategory }) {
  if (programme.status === 'open') return null
  const { closedAfter, replacedBy, asAt, source } = programme
  return (
    <p className="closed-notice">
      <strong>Closed since {formatDate(closedAfter)}.</strong> Look at the{' '}
      <a href={replacedBy.url}>{replacedBy.title}</a> instead: {lowerFirst(replacedBy.description)}{' '}
      <AsAt date={asAt} source={source} />
    </p>
  )
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
