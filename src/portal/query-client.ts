import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../http/api-client.ts'
import { findScreen } from '../screens.ts'
import { saveInput } from '../ui/input-backup.ts'
import { meQuery, redirectToSignIn } from './me-query.ts'

/**
 * Opening a screen always fetches, and shows the last copy meanwhile. Nothing polls, and nothing is retried
 * automatically.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 0, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    mutations: { retry: false },
  },
  queryCache: new QueryCache({ onError: checkWhoIsSignedIn }),
  mutationCache: new MutationCache({ onError: checkWhoIsSignedIn }),
})

/** Signs out here too when the session has expired or was ended elsewhere, and notices a permission that was taken away. */
function checkWhoIsSignedIn(error: Error) {
  if (!(error instanceof ApiError)) return
  if (error.status === 403) queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  if (error.status === 401) leave()
}

function leave() {
  const me = queryClient.getQueryData(meQuery.queryKey)
  if (me) saveInput(me.id)
  const screen = findScreen(location.pathname)
  if (screen?.showsAccessDenied) queryClient.setQueryData(meQuery.queryKey, null)
  else redirectToSignIn()
}
