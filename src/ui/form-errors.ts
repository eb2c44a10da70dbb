import { ApiError } from '../http/api-client.ts'

/** Field name → what is wrong with it. */
export type FormErrors = Readonly<Record<string, string | undefined>>

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The first thing wrong with each field, as a schema found it. */
export function errorsOfIssues(issues: readonly Issue[]): FormErrors {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[String(path[0])] ??= message
  return errors
}

/** What the server says is wrong with the fields; nothing when that is not why it refused. */
export function errorsOfFailure(error: unknown): FormErrors {
  return error instanceof ApiError ? error.errors : {}
}

/** Brings the person to the first field that is wrong, once the page shows which. */
export function focusFirstError(form: HTMLFormElement) {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
