import { isCovered, type ListedVisa, listVisas, numbersOf } from '../../../content/visas.ts'
import { sentence } from '../../../i18n/no-break.ts'
import { editable, editVisa } from '../blocks/editable.ts'
import { Sources } from '../blocks/figures.tsx'
import type { SiteSettings } from '../site-settings.ts'

type Closed = Extract<ListedVisa['programme'], { status: 'closed' }>

/** One row for all visas of each programme that is closed, with what was claimed of it. */
export function ClosedVisas({ site }: { site: SiteSettings }) {
  const shown = listVisas(site.live).filter(({ isOnHome }) => isOnHome)
  const closed = Map.groupBy(shown, ({ programme }) => keyOf(programme))
  closed.delete(null)
  return [...closed].map(([key, visas]) => <ClosedRow key={key} visas={visas} site={site} />)
}

interface RowProps {
  readonly visas: readonly ListedVisa[]
  readonly site: SiteSettings
}

function ClosedRow({ visas, site }: RowProps) {
  const texts = site.texts.visas
  const [first] = visas
  if (first?.programme.status !== 'closed') return null
  const numbers = [...new Set(visas.flatMap(numbersOf))].join(', ')
  const streams = visas.map(visa => <Stream key={visa.id} visa={visa} site={site} />)
  return (
    <div className="snug site-closed">
      <p>
        <span className="site-closed-badge">{texts.closedBadge}</span>{' '}
        <strong>{texts.closedSubclass(numbers, visas.length > 1)}</strong>
      </p>
      <div {...editVisa(site, first, 'programme')}>
        <p>
          {sentence(texts.closedList(site.texts.date(first.programme.closedAfter), streams))}{' '}
          <OpenInstead visas={visas} site={site} />
        </p>
        <Claimed programme={first.programme} site={site} />
      </div>
    </div>
  )
}

function Stream({ visa, site }: { visa: ListedVisa; site: SiteSettings }) {
  const edit = editVisa(site, visa, 'title')
  if (!visa.page) return <span {...edit}>{visa.title}</span>
  return (
    <a href={visa.page.path} {...edit}>
      {visa.title}
    </a>
  )
}

/** The page that gathers the open visas for the same people. */
function OpenInstead({ visas, site }: RowProps) {
  const all = listVisas(site.live)
  const texts = site.texts.visas
  const services = new Set(visas.map(({ service }) => service))
  const overview = all.find(visa => services.has(visa.service) && isCovered(visa, all))
  return (
    <a href={overview?.page?.path ?? '/visas'} {...(overview && editVisa(site, overview, 'title'))}>
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
function keyOf(programme: ListedVisa['programme']): string | null {
  return programme.status === 'closed' ? `${programme.closedAfter} ${programme.replacedBy.url}` : null
}
