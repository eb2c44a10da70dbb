import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { countsQuery, describeCount } from './counts-query.ts'
import type { ViewCounts } from './filter-contract.ts'
import { hrefOfView, type View, viewOf, views } from './views.ts'

/** The views of the inbox with how many messages each has, for the rail and for the pills above the list. */
export function ViewLinks() {
  const [params] = useSearchParams()
  const { data: counts } = useQuery(countsQuery)
  const current = viewOf(params)
  return views.map(view => (
    <a
      key={view.label}
      className="inbox-view"
      href={hrefOfView(view)}
      aria-current={view === current || undefined}
    >
      {view.label} <Count view={view} counts={counts} />
    </a>
  ))
}

function Count({ view, counts }: { readonly view: View; readonly counts: ViewCounts | undefined }) {
  if (!view.count || !counts?.[view.count]) return null
  return <span>{describeCount(counts[view.count], counts.isPartial)}</span>
}
