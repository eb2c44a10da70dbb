/** Of 1,024, as quotas are counted. */
const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE
/** Of 1,000, as those who sell disks count them. */
const GIGABYTE = 1000 ** 3

/** "240 kB", "3.2 MB" */
export function describeBytes(bytes: number): string {
  // Nothing that is there has none.
  if (bytes < MEGABYTE) return `${Math.max(Math.round(bytes / KILOBYTE), bytes > 0 ? 1 : 0)} kB`
  return `${(bytes / MEGABYTE).toLocaleString('en-AU', { maximumFractionDigits: 1 })} MB`
}

/** "20 GB", "8.2 GB" */
export function describeGigabytes(bytes: number): string {
  const gigabytes = bytes / GIGABYTE
  // Nothing that is there has none.
  if (gigabytes > 0 && gigabytes < 0.1) return 'less than 0.1 GB'
  return `${gigabytes.toLocaleString('en-AU', { maximumFractionDigits: 1 })} GB`
}
