import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { call } from '../../../ui/client.ts'
import { lazily } from '../../../ui/lazy-part.ts'
import { messages } from '../contract.ts'
import {
  type InboxFilter,
  MAX_UNREAD_COUNTED,
  readFilter,
  type ViewCounts,
} from '../messages/filter-contract.ts'
import { figure } from './format.ts'

/** What is about saved views is loaded after the list. */
const load = () => import('../views/saved-views.tsx')
const SavedViews = lazily(async () => (await load()).SavedViews)
export const SaveView = lazily(async () => (await load()).SaveView)

/** Under the path of the call, whose contract is loaded with them. */
const savedQuery = queryOptions({
  queryKey: ['messages', 'views'],
  queryFn: async () => (await load()).readViews(),
})

/** The views of the inbox with how many messages each has, for the rail and for the pills above the list. */
export function ViewLinks() {
  const { data: counts } = useQuery(countsQuery)
  const own = useSavedViews()
  const describe = (count = 0) => count > 0 && <span>{describeCount(count, counts?.isPartial)}</span>
  return (
    <>
      {views.map(view => (
        <a
          key={view.label}
          className="inbox-view"
          href={hrefOfView(view)}
          aria-current={(view === own.fixed && !own.shown) || undefined}
        >
          {view.label} {view.count && describe(counts?.[view.count])}
        </a>
      ))}
      <SavedViews {...own} countOf={id => describe(counts?.saved[id])} />
    </>
  )
}

/** What the user has saved, and what of it the address shows. */
export function useSavedViews() {
  const [params] = useSearchParams()
  const { data } = useQuery(savedQuery)
  const saved = data ?? []
  const fixed = viewOf(params)
  const filter = readFilter(withDefaultView(params))
  const name = nameOf(filter)
  const shown = saved.find(view => nameOf(readFilter(Object.entries(view.filter))) === name)
  const isMore = Object.entries(filter).some(([name, value]) => fixed.params[name] !== value)
  return { saved, fixed, filter, shown, isSavable: data !== undefined && !shown && isMore }
}

/** The same for equal filters: the schema puts what they have into one order. */
const nameOf = (filter: InboxFilter) => JSON.stringify(filter)

/** Its key is below the dashboard's, whose figures change with every write that changes these. */
export const countsQuery = queryOptions({
  queryKey: ['dashboard', 'views'],
  queryFn: () => call(messages.counts, {}),
  // Nothing else says that a snooze has ended.
  refetchInterval: ({ state: { data } }) => data?.snoozeEndsIn ?? false,
})

/** A figure that is only known to be at least that has a plus sign. */
export function describeCount(count: number, isPartial = false): string {
  return `${figure(count)}${isPartial || count >= MAX_UNREAD_COUNTED ? '+' : ''}`
}

/** A list of messages that is one click away: what its URL has, and which figure is shown beside it. */
export interface View {
  readonly label: string
  readonly params: Readonly<Record<string, string>>
  readonly count?: Exclude<keyof ViewCounts, 'snoozeEndsIn' | 'unread' | 'notices' | 'saved' | 'isPartial'>
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
  { label: 'Scheduled', params: { scheduled: 'true' } },
  { label: 'Following', params: { following: 'true', order: 'activity' } },
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
