interface FilterSelectProps<Value extends string> {
  readonly label: string
  /** The label of the option that filters nothing. */
  readonly all: string
  readonly value: Value | undefined
  readonly options: readonly Value[]
  describe(option: Value): string
  /** Called with the empty string for all. */
  readonly onChange: (value: Value | '') => void
}

/** A filter of a list, in the `.filters` above it. */
export function FilterSelect<Value extends string>({
  label,
  all,
  value,
  options,
  describe,
  onChange,
}: FilterSelectProps<Value>) {
  return (
    <select
      className="control"
      aria-label={label}
      value={value ?? ''}
      onChange={event => onChange(options.find(option => option === event.target.value) ?? '')}
    >
      <option value="">{all}</option>
      {options.map(option => (
        <option key={option} value={option}>
          {describe(option)}
        </option>
      ))}
    </select>
  )
}
