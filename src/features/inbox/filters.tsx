import { messageTypeLabels } from '../../i18n/texts.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { type MessageFilter, messageTypes, verifications } from './contract.ts'
import { DashboardFilters } from './dashboard-filters.tsx'

const verificationLabels = {
  verified: 'Verified',
  off: 'Not checked',
  unverified: 'Unverified',
  suspect: 'Suspect',
}

interface FiltersProps {
  readonly filter: MessageFilter
  readonly onSearch: (text: string) => void
  readonly onChange: (name: keyof MessageFilter, value: string) => void
}

export function Filters({ filter, onSearch, onChange }: FiltersProps) {
  return (
    <search className="filters">
      <SearchBox label="Search messages" searched={filter.q ?? ''} onSearch={onSearch} />
      <FilterSelect
        label="Type"
        all="All types"
        value={filter.formType}
        options={messageTypes}
        describe={type => messageTypeLabels[type]}
        onChange={value => onChange('formType', value)}
      />
      <FilterSelect
        label="Status"
        all="Any status"
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
      <DashboardFilters filter={filter} onChange={onChange} />
      {filter.letter && (
        <button type="button" className="button" onClick={() => onChange('letter', '')}>
          Email failed <span aria-hidden="true">×</span>
          <span className="visually-hidden">: show others too</span>
        </button>
      )}
    </search>
  )
}
