import type { ViewCounts } from './filter-contract.ts'

/** A list of messages that is one click away: what its URL has, and which figure is shown beside it. */
export interface View {
  readonly label: string
  readonly params: Readonly<Record<string, string>>
  readonly count?: Exclude<keyof ViewCounts, 'isPartial'>
}

const ALL: View = { label: 'All', params: {} }

export const views: readonly View[] = [
  ALL,
  { label: 'Open', params: { status: 'open', order: 'activity' }, count: 'open' },
  { label: 'Mine', params: { status: 'open', assignee: 'me', order: 'activity' }, count: 'mine' },
  { label: 'Nobody’s', params: { status: 'open', assignee: 'none' }, count: 'nobody' },
  { label: 'Overdue', params: { overdue: 'true' }, count: 'overdue' },
  { label: 'Waiting', params: { status: 'waiting', order: 'activity' }, count: 'waiting' },
  { label: 'Snoozed', params: { snoozed: 'true' }, count: 'snoozed' },
  { label: 'Closed', params: { status: 'closed' } },
  { label: 'Spam', params: { status: 'spam' }, count: 'spam' },
]

export function hrefOfView({ params }: View): string {
  const search = new URLSearchParams(params).toString()
  return search ? `/messages?${search}` : '/messages'
}

/** The view that a URL shows, perhaps with more filters: of those whose filters it has, the one with the most. */
export function viewOf(params: URLSearchParams): View {
  const matching = views.filter(view => filtersOf(view).every(([name, value]) => params.get(name) === value))
  return matching.reduce((best, view) => (filtersOf(view).length > filtersOf(best).length ? view : best), ALL)
}

const filtersOf = ({ params }: View) => Object.entries(params).filter(([name]) => name !== 'order')
