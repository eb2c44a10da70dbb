import type { Content } from '../../content/schema.ts'
import { sentence } from '../../i18n/sentence.ts'
import type { Texts } from '../../i18n/texts.ts'

type Figure = Content['visaCategories'][number]['figures'][number]

/** Figures from the law, each with its date and source. */
export function Figures({ figures, texts }: { figures: readonly Figure[]; texts: Texts }) {
  if (figures.length === 0) return null
  return (
    <dl className="site-figures">
      {figures.map(({ label, value, asAt, source }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <strong>{value}</strong> <AsAt date={asAt} source={source} texts={texts} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function AsAt({ date, source, texts }: { date: string; source: Figure['source']; texts: Texts }) {
  const link = <a href={source.url}>{source.label}</a>
  return <span className="site-as-at">{sentence(texts.claims.asAt(texts.date(date), link))}</span>
}
