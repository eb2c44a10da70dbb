import { type ComponentProps, useId } from 'react'

type TextFieldProps = ComponentProps<'input'> & {
  readonly label: string
  /** Shown between the label and the input. */
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

/** A labelled input with its error below it. */
export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  const id = useId()
  const described = [hint ? `${id}hint` : '', error ? `${id}error` : ''].filter(Boolean).join(' ')
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="field-hint" id={`${id}hint`}>
          {hint}
        </p>
      )}
      <input
        className="control"
        id={id}
        dir="auto"
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        {...input}
      />
      {error && (
        <p className="field-error" id={`${id}error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
