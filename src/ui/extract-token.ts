/**
 * Reads the token of a link in an email, from the query or the fragment, which may be the token alone, and removes it from the URL, so that nobody can
 * read it on the screen, in a screenshot or in the browser's history. The history state keeps it for a reload of this tab.
 */
export function extractToken(): string {
  const fragment = location.hash.slice(1)
  const token =
    new URLSearchParams(location.search || fragment).get('token') ??
    (TOKEN.test(fragment) ? fragment : readStored(history.state))
  history.replaceState({ token }, '', location.pathname)
  return token
}

/** Not what a link within the page leads to. */
const TOKEN = /^[\w-]{43}$/

function readStored(state: unknown): string {
  const isStored = typeof state === 'object' && state !== null && 'token' in state
  return isStored && typeof state.token === 'string' ? state.token : ''
}
