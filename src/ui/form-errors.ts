import { ApiError } from '../http/api-client.ts'

/** Field name → error message. */
export type FormErrors = Readonly<Record<string, string | undefined>>

/** The field errors of a failed call; empty when it failed for another reason. */
export function errorsOfFailure(error: unknown): FormErrors {
  return error instanceof ApiError ? error.errors : {}
}

/** Focuses the first invalid field, once the errors are rendered. */
export function focusFirstError(form: HTMLFormElement) {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
