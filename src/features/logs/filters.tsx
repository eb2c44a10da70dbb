import { useQuery } from '@tanstack/react-query'
import { logLevels, logSources } from '../../log/levels.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { levelLabels } from './contract.ts'
import { DELETED_USER } from './person.tsx'
import { type LogFilter, staffQuery } from './queries.ts'

interface FiltersProps {
  readonly filter: LogFilter
  /** An empty value removes the filter. */
  readonly onChange: (name: keyof LogFilter, value: string) => void
}

export function Filters({ filter, onChange }: FiltersProps) {
  return (
    <search className="filters">
      <SearchBox label="Search the log" searched={filter.q ?? ''} onSearch={text => onChange('q', text)} />
      <FilterSelect
        label="Log Level"
        all="All levels"
        value={filter.level}
        options={logLevels}
        describe={level => levelLabels[level]}
        onChange={value => onChange('level', value)}
      />
      <FilterSelect
        label="Log Source"
        all="All sources"
        value={filter.source}
        options={logSources}
        describe={source => source}
        onChange={value => onChange('source', value)}
      />
      <PersonSelect userId={filter.userId} onChange={value => onChange('userId', value)} />
    </search>
  )
}

/** The staff, and a deleted user while the list shows what they did. */
function PersonSelect({ userId, onChange }: { userId: string | undefined; onChange: (id: string) => void }) {
  const { data: staff = [] } = useQuery(staffQuery)
  const names = new Map(staff.map(({ id, name }) => [id, name]))
  const isUnknown = userId !== undefined && !names.has(userId)
  return (
    <FilterSelect
      label="Person"
      all="Anyone"
      value={userId}
      options={[...names.keys(), ...(isUnknown ? [userId] : [])]}
      describe={id => names.get(id) ?? DELETED_USER}
      onChange={onChange}
    />
  )
}
