import { type ComponentProps, useId } from 'react'

type TextFieldProps = ComponentProps<'input'> & {
  readonly label: string
  readonly error?: string | undefined
}

/** A labelled input with its error under it. */
export function TextField({ label, error, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}error` : undefined}
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
