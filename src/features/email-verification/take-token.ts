/**
 * The token of the link that led here. It leaves the address, so that nobody reads it over a shoulder, in a picture of
 * the page or in the browser's history; this tab keeps it for a reload.
 */
export function takeToken(): string {
  const token = new URLSearchParams(location.search).get('token') ?? readKept(history.state)
  history.replaceState({ token }, '', location.pathname)
  return token
}

function readKept(state: unknown): string {
  const isKept = typeof state === 'object' && state !== null && 'token' in state
  return isKept && typeof state.token === 'string' ? state.token : ''
}
