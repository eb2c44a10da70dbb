import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'

interface Described {
  readonly label: ReactNode
  /** Shown between the label and the control. */
  readonly hint?: ReactNode
  readonly error?: string | undefined
}

interface Control {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface FieldProps extends Described {
  /** Shown below everything else. @param id what the control is described by */
  readonly note?: ((id: string) => ReactNode) | undefined
  readonly children: (control: Control) => ReactNode
}

export function Field({ label, hint, error, note, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}hint`, error && `${id}error`, note && `${id}note`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="field-hint" id={`${id}hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {error && (
        <p className="field-error" id={`${id}error`} role="alert">
          {error}
        </p>
      )}
      {note?.(`${id}note`)}
    </div>
  )
}

/** An element without what its field sets. */
type Own<Name extends 'input' | 'textarea'> = Omit<ComponentProps<Name>, keyof Described | 'id' | 'onChange'>

type TextFieldProps = Own<'input'> & Described & { readonly onValue?: (value: string) => void }

export function TextField({ label, hint, error, onValue, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {control => (
        <input
          className="control"
          {...control}
          dir="auto"
          {...input}
          onChange={({ target }) => onValue?.(target.value)}
        />
      )}
    </Field>
  )
}

type AreaFieldProps = Own<'textarea'> & Described & { readonly onValue: (value: string) => void }

export function AreaField({ label, hint, error, onValue, ...area }: AreaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {control => (
        <textarea
          className="control"
          {...control}
          {...area}
          onChange={({ target }) => onValue(target.value)}
        />
      )}
    </Field>
  )
}

type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'onChange'> & {
  /** Value → label. As an object does not keep the order of numbers, a map may have it. */
  readonly options: Readonly<Record<Value, string>> | Map<Value, string>
  readonly value: Value
  readonly onValue: (value: Value) => void
}

export function Select<Value extends string>({ options, onValue, ...select }: SelectProps<Value>) {
  const labels: ReadonlyMap<string, string> =
    options instanceof Map ? options : new Map(Object.entries<string>(options))
  const isOption = (value: string): value is Value => labels.has(value)
  return (
    <select
      className="control"
      {...select}
      onChange={({ target }) => isOption(target.value) && onValue(target.value)}
    >
      {Array.from(labels, ([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}

type ChoiceFieldProps<Value extends string> = Described &
  Omit<SelectProps<Value>, keyof Described | 'id'> & {
    /** What the chosen one means. */
    readonly meaning?: string
  }

export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, hint, error, meaning, ...select } = props
  const describe = (id: string) => (
    <p className="field-hint" id={id}>
      {meaning}
    </p>
  )
  return (
    <Field label={label} hint={hint} error={error} note={meaning && !error ? describe : undefined}>
      {control => <Select {...control} {...select} />}
    </Field>
  )
}

type CheckFieldProps = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  readonly label: ReactNode
  readonly value: boolean
  readonly onValue: (value: boolean) => void
}

export function CheckField({ label, value, onValue, ...input }: CheckFieldProps) {
  return (
    <label className="check">
      <input type="checkbox" {...input} checked={value} onChange={({ target }) => onValue(target.checked)} />
      {label}
    </label>
  )
}

/** Field name → error message. */
export type FormErrors = Readonly<Record<string, string | undefined>>

/** The field errors of a failed call; empty when it failed for another reason. */
export function errorsOfFailure(error: unknown): FormErrors {
  return error instanceof ApiError ? error.errors : {}
}

/** The errors of a form, whose first invalid field gets the focus once they are rendered. */
export function useFormErrors(formId: string) {
  const [errors, setErrors] = useState<FormErrors>({})
  useEffect(() => {
    const wrong = Object.keys(errors).length > 0 && document.getElementById(formId)
    if (wrong) wrong.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors, formId])
  return [errors, setErrors] as const
}
