/** The text that a page has at its top and its bottom while it shows a revision. */
export const markerOf = (revision: number) => `Revision ${revision}.`

/** @returns the revisions of which a page shows something */
export function revisionsIn(html: string): ReadonlySet<number> {
  return new Set([...html.matchAll(/Revision (\d+)\./g)].map(([, revision]) => Number(revision)))
}

/** What is wrong with a page: not 200, not all there, or of two revisions. */
export function findFault(status: number, html: string): string | undefined {
  if (status !== 200) return `status ${status}`
  if (!html.trimEnd().endsWith('</html>')) return `half a page of ${html.length} characters`
  const shown = [...revisionsIn(html)]
  return shown.length === 1 ? undefined : `shows the revisions ${shown.join(' and ') || 'of nobody'}`
}
