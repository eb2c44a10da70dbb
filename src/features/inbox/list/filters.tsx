import { useQuery } from '@tanstack/react-query'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { lazily } from '../../../ui/lazy-part.ts'
import { FilterChip, FilterSelect, SearchBox } from '../../../ui/list/filter-select.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'
import { useOptions } from '../queries.ts'
import { SaveView, useSavedViews } from './view-links.tsx'

/** Loaded when a figure of the dashboard has led here. */
const DashboardFilters = lazily(async () => (await import('./dashboard-filters.tsx')).DashboardFilters)

const readLabels = { false: 'Unread', true: 'Read' }
const verificationLabels = {
  verified: 'Verified',
  off: 'Not checked',
  unverified: 'Unverified',
  suspect: 'Suspect',
}

interface FiltersProps {
  readonly filter: MessageFilter
  /** Whether a phone shows them. */
  readonly isOpen: boolean
  readonly onSearch: (text: string) => void
  readonly onChange: (name: keyof MessageFilter, value: string) => void
}

export function Filters({ filter, isOpen, onSearch, onChange }: FiltersProps) {
  const { staff, tags } = useOptions() ?? { staff: [], tags: [] }
  const myId = useQuery(meQuery).data?.id
  const { isSavable } = useSavedViews()
  const names = new Map([
    ['me', 'Me'],
    ['none', 'Unassigned'],
    // The user is Me, except where the address has their id.
    ...staff
      .filter(({ id }) => id !== myId || id === filter.assignee)
      .map(({ id, name }) => [id, name] as const),
  ])
  // What the URL asks for is shown as chosen, even when it is no longer offered.
  if (filter.assignee && !names.has(filter.assignee)) names.set(filter.assignee, 'Somebody else')
  const at = (name: keyof MessageFilter) => ({
    value: filter[name],
    onValue: (value: string) => onChange(name, value),
  })
  return (
    <search className="filters inbox-filters" data-open={isOpen || undefined}>
      <SearchBox label="Search enquiries" searched={filter.q ?? ''} onSearch={onSearch} />
      <FilterSelect {...at('formType')} label="Type" all="All types" options={messageTypeLabels} />
      <FilterSelect {...at('assignee')} label="Assigned to" all="Anyone" options={names} />
      <div className="inbox-more-filters">
        {(filter.tag || tags.length > 0) && (
          <FilterSelect
            {...at('tag')}
            label="Tag"
            all="Any tag"
            options={new Set(filter.tag ? [...tags, filter.tag] : tags).entries()}
          />
        )}
        <FilterSelect {...at('isRead')} label="Read or unread" all="Read and unread" options={readLabels} />
        <FilterSelect
          {...at('verification')}
          label="Bot check"
          all="All senders"
          options={verificationLabels}
        />
      </div>
      {(filter.received || filter.firstReplyWeek || filter.answeredBy) && (
        <DashboardFilters filter={filter} onRemove={name => onChange(name, '')} />
      )}
      {filter.letter && <FilterChip label="Email failed" onRemove={() => onChange('letter', '')} />}
      {isSavable && <SaveView filter={filter} />}
    </search>
  )
}
