import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../http/api-client.ts'
import { findScreen } from '../screens.ts'
import { saveInput } from '../ui/form/input-backup.ts'
import { meQuery, redirectToSignIn } from '../ui/me-query.ts'

/**
 * Opening a screen always fetches, and shows the last copy meanwhile. Nothing polls but for the end of a snooze, and
 * nothing is retried automatically; what the event stream names is read again (`live.ts`).
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 0, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    // Without a connection a write fails at once and says so. Otherwise it would wait in silence, and be done when nobody expects it.
    mutations: { retry: false, networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: checkWhoIsSignedIn }),
  mutationCache: new MutationCache({ onError: checkWhoIsSignedIn }),
})

/** Signs out here too when the session has expired or was ended elsewhere, and notices a permission that was taken away. */
export function checkWhoIsSignedIn(error: Error) {
  if (!(error instanceof ApiError)) return
  if (error.status === 403) queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  if (error.status === 401) leave()
}

/**
 * Hides what is shown here when somebody has signed out in another tab, once this tab comes back to the front. The cookie
 * that scripts can read is gone then, so no call is needed.
 */
export function leaveWhenSignedOut() {
  document.addEventListener('visibilitychange', () => {
    const isSignedOut = !document.cookie.includes('signed_in=1')
    if (document.visibilityState === 'visible' && isSignedOut && queryClient.getQueryData(meQuery.queryKey))
      leave()
  })
}

/** Since somebody has pressed *Logout*: another read may learn that the session is over before the reply to that comes. */
let isLoggingOut = false

export async function whileLoggingOut<Result>(work: () => Promise<Result>): Promise<Result> {
  isLoggingOut = true
  try {
    return await work()
  } catch (error) {
    isLoggingOut = false
    throw error
  }
}

function leave() {
  const me = queryClient.getQueryData(meQuery.queryKey)
  // Nobody is known while the page is being left, as after a logout.
  if (!me || isLoggingOut) return
  saveInput(me.id)
  const screen = findScreen(location.pathname)
  if (screen?.showsAccessDenied) queryClient.setQueryData(meQuery.queryKey, null)
  else redirectToSignIn()
}
