/** Of 1,024, as quotas are counted. */
const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

/** "240 kB", "3.2 MB" */
export function describeBytes(bytes: number): string {
  // Nothing that is there has none.
  if (bytes < MEGABYTE) return `${Math.max(Math.round(bytes / KILOBYTE), bytes > 0 ? 1 : 0)} kB`
  return `${(bytes / MEGABYTE).toLocaleString('en-AU', { maximumFractionDigits: 1 })} MB`
}
