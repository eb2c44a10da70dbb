import { isLinkTarget } from '../../../content/rich-text.ts'
import type { ShownFigure } from '../../../content/site-content.ts'
import { sentence } from '../../../i18n/no-break.ts'
import type { Texts } from '../../../i18n/texts.ts'
import type { SiteSettings } from '../site-settings.ts'
import { editable } from './editable.ts'

/** The last day on which something holds; none if it is left out. */
interface Ending {
  readonly endsOn?: string | null | undefined
}

type Sourced = Pick<ShownFigure, 'asAt' | 'source'>

interface FiguresProps {
  readonly figures: readonly ShownFigure[]
  /** Of the body, where the figures are. */
  readonly field: string
  readonly site: SiteSettings
}

/** Figures from the law, each with its date and source. */
export function Figures({ figures, field, site }: FiguresProps) {
  if (figures.length === 0) return null
  return (
    <dl className="facts site-figures">
      {figures.map((figure, at) => (
        <div key={figure.label}>
          <dt {...editable(site, `${field}.${at}.label`)}>{figure.label}</dt>
          <dd {...editable(site, `${field}.${at}.fact`)}>
            <FigureValue figure={figure} site={site} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FigureValue({ figure, site: { today, texts } }: { figure: ShownFigure; site: SiteSettings }) {
  const { value, asAt, source } = figure
  if (isPast(figure, today)) return <Ended source={source} texts={texts} />
  const link = <SourceLink source={source} />
  return (
    <>
      <strong>{value}</strong>{' '}
      <span className="site-as-at">{sentence(texts.claims.asAt(texts.date(asAt), link))}</span>
    </>
  )
}

/** What takes the place of a fact that no longer holds. */
export function Ended({ source, texts }: { source: ShownFigure['source']; texts: Texts }) {
  return <>{sentence(texts.claims.ended(<SourceLink source={source} />))}</>
}

/** Whether a fact no longer holds. @param today a date at the office */
export function isPast({ endsOn }: Ending, today: string): boolean {
  return endsOn != null && endsOn < today
}

interface SourceLineProps {
  readonly date: string
  readonly source: ShownFigure['source']
  readonly texts: Texts
}

/** The same where it is a sentence of its own. */
export function SourceLine({ date, source, texts }: SourceLineProps) {
  const link = <SourceLink source={source} />
  return <span className="site-as-at">{sentence(texts.documents.asAt(texts.date(date), link))}</span>
}

/** Where several figures are from, each source once, by date. */
export function Sources({ figures, texts }: { figures: readonly Sourced[]; texts: Texts }) {
  return [...Map.groupBy(figures, ({ asAt }) => asAt)].map(([date, dated]) => {
    const sources = new Map(dated.map(({ source }) => [source.url, source])).values()
    const links = [...sources].map(source => <SourceLink key={source.url} source={source} />)
    return <span key={date}>{sentence(texts.claims.sources(texts.date(date), links))}</span>
  })
}

/** Where something is from. A draft may have half an address, which is not a link. */
export function SourceLink({ source: { label, url } }: { source: ShownFigure['source'] }) {
  return isLinkTarget(url) ? <a href={url}>{label}</a> : label
}
