import { formatDateTime, formatDay } from '../../../ui/dates.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'
import { useOptions } from '../toolbar/use-options.ts'

type Name = 'received' | 'firstReplyWeek' | 'answeredBy'

interface DashboardFiltersProps {
  readonly filter: MessageFilter
  readonly onChange: (name: Name, value: string) => void
}

/** The filters with which a figure of the dashboard opens the list of what it counts, each with a button that removes it. */
export function DashboardFilters({ filter, onChange }: DashboardFiltersProps) {
  const { received, firstReplyWeek, answeredBy, answeredSince } = filter
  return (
    <>
      {received && <Chip name="received" label={describeInterval(received)} onChange={onChange} />}
      {firstReplyWeek && (
        <Chip
          name="firstReplyWeek"
          label={`First reply in the week of ${formatDay(firstReplyWeek)}`}
          onChange={onChange}
        />
      )}
      {answeredBy && <AnsweredBy id={answeredBy} since={answeredSince} onChange={onChange} />}
    </>
  )
}

function AnsweredBy({
  id,
  since,
  onChange,
}: Pick<DashboardFiltersProps, 'onChange'> & { id: string; since: string | undefined }) {
  const name = useOptions()?.staff.find(person => person.id === id)?.name ?? 'one person'
  const label = `Answered by ${name}${since ? ` since ${formatDay(since)}` : ''}`
  return <Chip name="answeredBy" label={label} onChange={onChange} />
}

function Chip({
  name,
  label,
  onChange,
}: Pick<DashboardFiltersProps, 'onChange'> & { name: Name; label: string }) {
  return (
    <button type="button" className="button" onClick={() => onChange(name, '')}>
      {label} <span aria-hidden="true">×</span>
      <span className="visually-hidden">: show others too</span>
    </button>
  )
}

function describeInterval(interval: string): string {
  const [from = '..', until = '..'] = interval.split('/')
  if (until === '..') return `Received since ${formatDateTime(from)}`
  if (from === '..') return `Received before ${formatDateTime(until)}`
  return `Received ${formatDateTime(from)} to ${formatDateTime(until)}`
}
