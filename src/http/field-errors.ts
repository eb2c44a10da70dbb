interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** More fields than any form has: a body can have tens of thousands that are wrong. */
const MOST = 100

/** The first error of each field, by its name, from the issues of a schema. */
export function fieldErrors(issues: readonly Issue[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues.slice(0, MOST))
    errors[path.map(String).join('.') || 'body'] ??= message
  return errors
}
