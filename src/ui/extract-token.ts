/**
 * Reads the token of a link in an email, from the query or the fragment, and removes it from the URL, so that nobody can
 * read it on the screen, in a screenshot or in the browser's history. The history state keeps it for a reload of this tab.
 */
export function extractToken(): string {
  const token =
    new URLSearchParams(location.search || location.hash.slice(1)).get('token') ?? readStored(history.state)
  history.replaceState({ token }, '', location.pathname)
  return token
}

function readStored(state: unknown): string {
  const isStored = typeof state === 'object' && state !== null && 'token' in state
  return isStored && typeof state.token === 'string' ? state.token : ''
}
