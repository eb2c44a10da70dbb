/** @returns field name → its first error */
export function fieldErrors(
  issues: readonly { path: readonly PropertyKey[]; message: string; keys?: unknown }[],
) {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[path.map(String).join('.') || 'body'] ??= message
  return errors
}
