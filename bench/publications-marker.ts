/**
 * The text that a document has at its top and its bottom. The site's is in the footer of every page, so it names its path.
 * The number of a version needs no reason to be published.
 */
export const markerOf = (path: string, revision: number) => `Version ${revision} of ${path}.`

/** @returns the revisions of the document at this path of which a page shows something */
export function revisionsIn(path: string, html: string): ReadonlySet<number> {
  const parts = [...html.matchAll(/Version (\d+) of (\/[a-z0-9/-]*)\./g)]
  return new Set(parts.flatMap(([, revision, shown]) => (shown === path ? [Number(revision)] : [])))
}

/** What is wrong with a page: not 200, not all there, or of two revisions. */
export function findFault(path: string, status: number, html: string): string | undefined {
  if (status !== 200) return `status ${status}`
  if (!html.trimEnd().endsWith('</html>')) return `half a page of ${html.length} characters`
  const shown = [...revisionsIn(path, html)]
  return shown.length === 1 ? undefined : `shows the revisions ${shown.join(' and ') || 'of nobody'}`
}
