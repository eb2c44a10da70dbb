import type { Content } from '../../content/schema.ts'

const dayFormat = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'UTC' })

/** The privacy notice and the disclaimer under the form. */
export function CollectionNotice({
  collectionNotice,
  disclaimer,
}: Pick<Content, 'collectionNotice' | 'disclaimer'>) {
  const { title, points, figures } = collectionNotice
  return (
    <>
      <details className="collection-notice">
        <summary>{title}</summary>
        <dl>
          {points.map(({ question, answer }) => (
            <div key={question}>
              <dt>{question}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
          {figures.map(({ label, value, asAt, source }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {value}. As at {dayFormat.format(new Date(asAt))},{' '}
                <a href={source.url} rel="external">
                  {source.label}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <p className="enquiry-disclaimer">{disclaimer}</p>
    </>
  )
}
