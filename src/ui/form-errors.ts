import { useEffect, useState } from 'react'
import { ApiError } from '../http/api-client.ts'

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
