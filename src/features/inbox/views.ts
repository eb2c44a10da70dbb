import type { ViewCounts } from './filter-contract.ts'

/** A list of messages that is one click away: what its URL has, and which figure is shown beside it. */
export interface View {
  readonly label: string
  readonly params: Readonly<Record<string, string>>
  readonly count?: Exclude<keyof ViewCounts, 'isPartial'>
}

/** No filter: any value that is not a status. */
const ALL: View = { label: 'All', params: { status: 'all' } }
const OPEN: View = { label: 'Open', params: { status: 'open', order: 'activity' }, count: 'open' }

export const views: readonly View[] = [
  ALL,
  OPEN,
  { label: 'Mine', params: { status: 'open', assignee: 'me', order: 'activity' }, count: 'mine' },
  { label: 'Unassigned', params: { status: 'open', assignee: 'none' }, count: 'nobody' },
  { label: 'Overdue', params: { overdue: 'true' }, count: 'overdue' },
  { label: 'Waiting', params: { status: 'waiting', order: 'activity' }, count: 'waiting' },
  { label: 'Snoozed', params: { snoozed: 'true' }, count: 'snoozed' },
  { label: 'Closed', params: { status: 'closed' } },
  { label: 'Spam', params: { status: 'spam' }, count: 'spam' },
]

export function hrefOfView(view: View): string {
  return view === OPEN ? '/messages' : `/messages?${new URLSearchParams(view.params)}`
}

/** The filters of a URL. One without any is that of what is to be done: the open enquiries. */
export function withDefaultView(params: URLSearchParams): URLSearchParams {
  const isBare = [...params.keys()].every(name => name === 'message')
  return isBare ? new URLSearchParams([...Object.entries(OPEN.params), ...params]) : params
}

/** The view that a URL shows, perhaps with more filters: of those whose filters it has, the one with the most. */
export function viewOf(url: URLSearchParams): View {
  const params = withDefaultView(url)
  const matching = views.filter(view => filtersOf(view).every(([name, value]) => params.get(name) === value))
  return matching.reduce(
    (best, view) => (filtersOf(view).length > filtersOf(best).length ? view : best),
    matching[0] ?? ALL,
  )
}

const filtersOf = ({ params }: View) => Object.entries(params).filter(([name]) => name !== 'order')
