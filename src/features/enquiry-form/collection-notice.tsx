import { editable } from '../site/editable.ts'
import { Ended, isPast } from '../site/figures.tsx'
import type { SiteSettings } from '../site/layout.tsx'

type Figure = SiteSettings['content']['collectionNotice']['figures'][number]

/** The id by which other parts of the page lead to the notice, which opens. */
export const PRIVACY_NOTICE = 'privacy-notice'

/** The privacy notice under the form. */
export function CollectionNotice({ site }: { site: SiteSettings }) {
  const { title, points, figures } = site.content.collectionNotice
  const edit = (field: string) => editable(site, `collectionNotice.${field}`)
  return (
    <details className="enquiry-form-collection-notice" open={site.isPreview}>
      <summary {...edit('title')}>{title}</summary>
      <dl id={PRIVACY_NOTICE}>
        {points.map(({ question, answer }, at) => (
          <div key={question}>
            <dt {...edit(`points.${at}.question`)}>{question}</dt>
            <dd {...edit(`points.${at}.answer`)}>{answer}</dd>
          </div>
        ))}
        {figures.map((figure, at) => (
          <div key={figure.label}>
            <dt {...edit(`figures.${at}.label`)}>{figure.label}</dt>
            <dd {...edit(`figures.${at}.fact`)}>
              <FigureOfNotice figure={figure} site={site} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function FigureOfNotice({ figure, site: { texts, today } }: { figure: Figure; site: SiteSettings }) {
  const { value, asAt, source } = figure
  if (isPast(figure, today)) return <Ended source={source} texts={texts} />
  return (
    <>
      {texts.enquiryForm.figure(value, texts.date(asAt))}{' '}
      <a href={source.url} rel="external">
        {source.label}
      </a>
    </>
  )
}
