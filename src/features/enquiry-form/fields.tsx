import type { ComponentProps } from 'react'
import type { Field, FieldErrors, FieldGroup, FieldValues, FormTexts } from './form-texts.ts'

interface Filled {
  readonly idOf: (name: string) => string
  /** The initial values. */
  readonly values: FieldValues
  readonly errors: FieldErrors
}

/** The fields of every kind of enquiry. Those of another kind are hidden and not sent, and keep what was typed in them. */
export function Fields({ groups, type, ...filled }: Filled & Pick<FormTexts, 'groups'> & { type: string }) {
  return groups.map(group => {
    const isOther = group.form !== undefined && group.form !== type
    return (
      <fieldset
        key={group.fields[0]?.name}
        className="enquiry-form-fields"
        hidden={isOther}
        disabled={isOther}
        role={group.legend ? undefined : 'none'}
      >
        <Legend {...group} />
        {group.fields.map(field => (
          <LabelledField key={field.name} field={field} {...filled} />
        ))}
      </fieldset>
    )
  })
}

function Legend({ legend, hint }: FieldGroup) {
  if (!legend) return null
  return (
    <legend>
      <strong>{legend}</strong> {hint}
    </legend>
  )
}

function LabelledField({ field, idOf, values, errors }: Filled & { field: Field }) {
  const { name, label, hint, optional } = field
  const [id, error] = [idOf(name), errors[name]]
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field" data-kind={field.kind} data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>
        {label} {optional && <span className="field-optional">{optional}</span>}
      </label>
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Control
        field={field}
        id={id}
        defaultValue={values[name] ?? ''}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

type ControlProps = Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'> & {
  defaultValue: string
}

function Control({ field, ...props }: ControlProps & { field: Field }) {
  const { kind: Kind, name, options, attributes } = field
  return (
    <Kind
      className="control"
      name={name}
      dir={Kind === 'select' ? undefined : 'auto'}
      {...props}
      {...attributes}
    >
      {options?.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Kind>
  )
}
