import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { FilterSelect, SearchBox } from '../../../ui/list/filter-select.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import { type MessageFilter, messageTypes, verifications } from '../messages/filter-contract.ts'
import { useOptions } from '../toolbar/use-options.ts'

/** Loaded when a figure of the dashboard has led here. */
const DashboardFilters = lazy(async () => ({
  default: (await import('./dashboard-filters.tsx')).DashboardFilters,
}))

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
  const names = new Map([
    ['me', 'Me'],
    ['none', 'Unassigned'],
    // The user is Me, except where the address has their id.
    ...staff
      .filter(({ id }) => id !== myId || id === filter.assignee)
      .map(({ id, name }) => [id, name] as const),
  ])
  return (
    <search className="filters inbox-filters" data-open={isOpen || undefined}>
      <SearchBox label="Search enquiries" searched={filter.q ?? ''} onSearch={onSearch} />
      <FilterSelect
        label="Type"
        all="All types"
        value={filter.formType}
        options={messageTypes}
        describe={type => messageTypeLabels[type]}
        onChange={value => onChange('formType', value)}
      />
      <FilterSelect
        label="Assigned to"
        all="Anyone"
        value={filter.assignee}
        options={withChosen([...names.keys()], filter.assignee)}
        describe={id => names.get(id) ?? 'Somebody else'}
        onChange={value => onChange('assignee', value)}
      />
      <div className="inbox-more-filters">
        {(filter.tag || tags.length > 0) && (
          <FilterSelect
            label="Tag"
            all="Any tag"
            value={filter.tag}
            options={withChosen(tags, filter.tag)}
            describe={tag => tag}
            onChange={value => onChange('tag', value)}
          />
        )}
        <FilterSelect
          label="Read or unread"
          all="Read and unread"
          value={filter.isRead}
          options={['false', 'true']}
          describe={isRead => (isRead === 'true' ? 'Read' : 'Unread')}
          onChange={value => onChange('isRead', value)}
        />
        <FilterSelect
          label="Bot check"
          all="All senders"
          value={filter.verification}
          options={verifications}
          describe={kind => verificationLabels[kind]}
          onChange={value => onChange('verification', value)}
        />
      </div>
      <Suspense>
        {(filter.received || filter.firstReplyWeek || filter.answeredBy) && (
          <DashboardFilters filter={filter} onChange={onChange} />
        )}
      </Suspense>
      {filter.letter && (
        <button type="button" className="button" onClick={() => onChange('letter', '')}>
          Email failed <span aria-hidden="true">×</span>
          <span className="visually-hidden">: show others too</span>
        </button>
      )}
    </search>
  )
}

/** What the URL asks for is shown as chosen, even when it is no longer offered. */
function withChosen(options: readonly string[], chosen: string | undefined): readonly string[] {
  return chosen === undefined || options.includes(chosen) ? options : [...options, chosen]
}
