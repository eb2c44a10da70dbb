interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The first error of each field, by its name, from the issues of a schema. */
export function fieldErrors(issues: readonly Issue[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[path.map(String).join('.') || 'body'] ??= message
  return errors
}
