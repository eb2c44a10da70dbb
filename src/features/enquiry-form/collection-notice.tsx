import type { Content } from '../../content/schema.ts'
import type { Texts } from '../../i18n/texts.ts'

/** The privacy notice and the disclaimer under the form. */
export function CollectionNotice({
  collectionNotice,
  disclaimer,
  texts,
}: Pick<Content, 'collectionNotice' | 'disclaimer'> & { texts: Texts }) {
  const { title, points, figures } = collectionNotice
  return (
    <>
      <details className="enquiry-form-collection-notice">
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
                {texts.enquiryForm.figure(value, texts.date(asAt))}{' '}
                <a href={source.url} rel="external">
                  {source.label}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <p className="enquiry-form-disclaimer">{disclaimer}</p>
    </>
  )
}
