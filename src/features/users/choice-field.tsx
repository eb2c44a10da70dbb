import { useId } from 'react'

interface ChoiceFieldProps<Value extends string> {
  readonly label: string
  readonly name: string
  readonly options: readonly Value[]
  readonly labels: Readonly<Record<Value, string>>
  /** What each choice means. */
  readonly hints: Readonly<Record<Value, string>>
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly error?: string | undefined
}

/** A choice from a short list, with a description of what is chosen. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, name, options, labels, hints, value, onChange, error } = props
  const id = useId()
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        onChange={event => {
          const chosen = options.find(each => each === event.target.value)
          if (chosen) onChange(chosen)
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}hint`}
      >
        {options.map(option => (
          <option key={option} value={option}>
            {labels[option]}
          </option>
        ))}
      </select>
      <p className={error ? 'field-error' : 'field-hint'} id={`${id}hint`}>
        {error ?? hints[value]}
      </p>
    </div>
  )
}
