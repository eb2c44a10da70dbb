import { type ComponentProps, useEffect, useId, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'

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
