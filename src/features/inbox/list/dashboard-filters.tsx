import { formatDateTime, formatDay } from '../../../ui/dates.ts'
import { FilterChip } from '../../../ui/list/filter-select.tsx'
import type { MessageFilter } from '../messages/filter-contract.ts'
import { useOptions } from '../queries.ts'

interface DashboardFiltersProps {
  readonly filter: MessageFilter
  readonly onRemove: (name: 'received' | 'firstReplyWeek' | 'answeredBy') => void
}

/** The filters with which a figure of the dashboard opens the list of what it counts. */
export function DashboardFilters({ filter, onRemove }: DashboardFiltersProps) {
  const { received, firstReplyWeek, answeredBy, answeredSince } = filter
  const person = useOptions()?.staff.find(({ id }) => id === answeredBy)?.name ?? 'one person'
  const since = answeredSince ? ` since ${formatDay(answeredSince)}` : ''
  return (
    <>
      {received && <FilterChip label={describeInterval(received)} onRemove={() => onRemove('received')} />}
      {firstReplyWeek && (
        <FilterChip
          label={`First reply in the week of ${formatDay(firstReplyWeek)}`}
          onRemove={() => onRemove('firstReplyWeek')}
        />
      )}
      {answeredBy && (
        <FilterChip label={`Answered by ${person}${since}`} onRemove={() => onRemove('answeredBy')} />
      )}
    </>
  )
}

function describeInterval(interval: string): string {
  const [from = '..', until = '..'] = interval.split('/')
  if (until === '..') return `Received since ${formatDateTime(from)}`
  if (from === '..') return `Received before ${formatDateTime(until)}`
  return `Received ${formatDateTime(from)} to ${formatDateTime(until)}`
}
