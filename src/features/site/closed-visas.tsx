import type { Content } from '../../content/schema.ts'
import { sentence } from '../../i18n/sentence.ts'
import { editable } from './editable.ts'
import { AsAt } from './figures.tsx'
import { findVisaPage, isCovered, numbersOf } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

type VisaCategory = Content['visaCategories'][number]
type Closed = Extract<VisaCategory['programme'], { status: 'closed' }>

/** One row for all categories of each programme that is closed, with what was claimed of it. */
export function ClosedVisas({ site }: { site: SiteSettings }) {
  return programmesOf(site).map(programme => (
    <ClosedRow key={keyOf(programme)} programme={programme} site={site} />
  ))
}

function ClosedRow({ programme, site }: { programme: Closed; site: SiteSettings }) {
  const { texts, content } = site
  const { visas } = texts
  const closed = content.visaCategories.filter(category => isOf(category.programme, programme))
  const numbers = [...new Set(closed.flatMap(numbersOf))].join(', ')
  return (
    <div className="site-closed">
      <p>
        <span className="site-closed-badge">{visas.closedBadge}</span>{' '}
        <strong>{visas.closedSubclass(numbers, closed.length > 1)}</strong>
      </p>
      <div>
        <p>
          {sentence(
            visas.closedList(
              texts.date(programme.closedAfter),
              closed.map(category => <Stream key={category.title} category={category} site={site} />),
            ),
          )}{' '}
          <OpenInstead closed={closed} site={site} />
        </p>
        <Claimed programme={programme} site={site} />
      </div>
    </div>
  )
}

function Stream({ category, site }: { category: VisaCategory; site: SiteSettings }) {
  const page = findVisaPage(site.live, category)
  return page ? <a href={page.path}>{category.title}</a> : category.title
}

/** The page that gathers the open visas for the same people. */
function OpenInstead({ closed, site }: { closed: readonly VisaCategory[]; site: SiteSettings }) {
  const { visas } = site.texts
  const { visaCategories } = site.content
  const overview = visaCategories.find(
    category =>
      isCovered(category, visaCategories) && closed.some(({ service }) => service === category.service),
  )
  const path = (overview && findVisaPage(site.live, overview)?.path) ?? '/visas'
  return <a href={path}>{visas.openInstead(overview?.title ?? visas.all)}</a>
}

/** What is said of the programme as it was, with its source. */
function Claimed({ programme, site }: { programme: Closed; site: SiteSettings }) {
  const { texts, content } = site
  const claims = content.claims.map((claim, at) => ({ claim, at }))
  const own = claims.filter(
    ({ claim }) => claim.kind === 'closed-programme' && isOf(claim.programme, programme),
  )
  if (own.length === 0) return null
  return (
    <p className="site-as-at">
      {own.map(({ claim, at }) => (
        <span key={claim.label} {...editable(site, `claims.${at}.fact`)}>
          {texts.visas.closedClaim(claim.label, claim.value)}
        </span>
      ))}
      <AsAt date={programme.asAt} source={programme.source} texts={texts} />
    </p>
  )
}

function programmesOf({ content }: SiteSettings): readonly Closed[] {
  const programmes = content.visaCategories.flatMap(({ programme }) =>
    programme.status === 'closed' ? [programme] : [],
  )
  return [...new Map(programmes.map(programme => [keyOf(programme), programme])).values()]
}

const keyOf = ({ closedAfter, replacedBy }: Closed) => `${closedAfter} ${replacedBy.url}`

function isOf(programme: VisaCategory['programme'], closed: Closed): boolean {
  return programme.status === 'closed' && keyOf(programme) === keyOf(closed)
}
