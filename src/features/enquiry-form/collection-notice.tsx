import { editable } from '../site/editable.ts'
import type { SiteSettings } from '../site/layout.tsx'

/** The privacy notice and the disclaimer under the form. */
export function CollectionNotice({ site }: { site: SiteSettings }) {
  const { texts } = site
  const { collectionNotice, disclaimer } = site.content
  const { title, points, figures } = collectionNotice
  const edit = (field: string) => editable(site, `collectionNotice.${field}`)
  return (
    <>
      <details className="enquiry-form-collection-notice" open={site.isPreview}>
        <summary {...edit('title')}>{title}</summary>
        <dl>
          {points.map(({ question, answer }, at) => (
            <div key={question}>
              <dt {...edit(`points.${at}.question`)}>{question}</dt>
              <dd {...edit(`points.${at}.answer`)}>{answer}</dd>
            </div>
          ))}
          {figures.map(({ label, value, asAt, source }, at) => (
            <div key={label}>
              <dt {...edit(`figures.${at}.label`)}>{label}</dt>
              <dd {...edit(`figures.${at}.fact`)}>
                {texts.enquiryForm.figure(value, texts.date(asAt))}{' '}
                <a href={source.url} rel="external">
                  {source.label}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <p className="enquiry-form-disclaimer" {...editable(site, 'disclaimer')}>
        {disclaimer}
      </p>
    </>
  )
}
