import type { Content } from '../../content/schema.ts'
import { sentence } from '../../i18n/sentence.ts'
import { editable } from './editable.ts'
import { Sources } from './figures.tsx'
import { findVisaPage, isCovered, numbersOf } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

type VisaCategory = Content['visaCategories'][number]
type Closed = Extract<VisaCategory['programme'], { status: 'closed' }>

/** A category with its place in the site document. */
interface Placed {
  readonly category: VisaCategory
  readonly at: number
}

/** One row for all categories of each programme that is closed, with what was claimed of it. */
export function ClosedVisas({ site }: { site: SiteSettings }) {
  const placed = site.content.visaCategories.map((category, at) => ({ category, at }))
  const closed = Map.groupBy(placed, ({ category }) => keyOf(category.programme))
  closed.delete(null)
  return [...closed].map(([key, visas]) => <ClosedRow key={key} visas={visas} site={site} />)
}

interface RowProps {
  readonly visas: readonly Placed[]
  readonly site: SiteSettings
}

function ClosedRow({ visas, site }: RowProps) {
  const texts = site.texts.visas
  const programme = visas[0]?.category.programme
  if (programme?.status !== 'closed') return null
  const numbers = [...new Set(visas.flatMap(({ category }) => numbersOf(category)))].join(', ')
  const streams = visas.map(visa => <Stream key={visa.category.title} {...visa} site={site} />)
  return (
    <div className="site-closed">
      <p>
        <span className="site-closed-badge">{texts.closedBadge}</span>{' '}
        <strong>{texts.closedSubclass(numbers, visas.length > 1)}</strong>
      </p>
      <div {...editable(site, `visaCategories.${visas[0]?.at}.programme`)}>
        <p>
          {sentence(texts.closedList(site.texts.date(programme.closedAfter), streams))}{' '}
          <OpenInstead visas={visas} site={site} />
        </p>
        <Claimed programme={programme} site={site} />
      </div>
    </div>
  )
}

function Stream({ category, at, site }: Placed & { site: SiteSettings }) {
  const page = findVisaPage(site.live, category)
  const edit = editable(site, `visaCategories.${at}.title`)
  if (!page) return <span {...edit}>{category.title}</span>
  return (
    <a href={page.path} {...edit}>
      {category.title}
    </a>
  )
}

/** The page that gathers the open visas for the same people. */
function OpenInstead({ visas, site }: RowProps) {
  const { visaCategories } = site.content
  const texts = site.texts.visas
  const services = new Set(visas.map(({ category }) => category.service))
  const at = visaCategories.findIndex(
    category => services.has(category.service) && isCovered(category, visaCategories),
  )
  const overview = visaCategories[at]
  const path = (overview && findVisaPage(site.live, overview)?.path) ?? '/visas'
  return (
    <a href={path} {...editable(site, `visaCategories.${at}.title`)}>
      {texts.openInstead(overview?.title ?? texts.all)}
    </a>
  )
}

/** What is said of the programme as it was, with its source. */
function Claimed({ programme, site }: { programme: Closed; site: SiteSettings }) {
  const { texts, content } = site
  const claims = content.claims.flatMap((claim, at) =>
    claim.kind === 'closed-programme' && keyOf(claim.programme) === keyOf(programme) ? [{ claim, at }] : [],
  )
  if (claims.length === 0) return null
  return (
    <p className="site-as-at">
      {claims.map(({ claim, at }) => (
        <span key={claim.label} {...editable(site, `claims.${at}`)}>
          {sentence(texts.visas.closedClaim(claim.label, <span className="site-nowrap">{claim.value}</span>))}
        </span>
      ))}
      <Sources figures={[programme]} texts={texts} />
    </p>
  )
}

/** What distinguishes programmes; null while it is open. */
function keyOf(programme: VisaCategory['programme']): string | null {
  return programme.status === 'closed' ? `${programme.closedAfter} ${programme.replacedBy.url}` : null
}
