import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { signIn } from '../features/sign-in/contract.ts'
import { ApiError } from '../http/api-client.ts'
import { screens } from '../screens.ts'
import { call } from '../ui/client.ts'
import { saveInput } from '../ui/input-backup.ts'

/**
 * Opening a screen fetches afresh and shows the last copy meanwhile; nothing polls, and nothing is tried again behind
 * a person's back.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 0, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    mutations: { retry: false },
  },
  queryCache: new QueryCache({ onError: redirectIfSignedOut }),
  mutationCache: new MutationCache({ onError: redirectIfSignedOut }),
})

/** Who is signed in; null when nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    try {
      return (await call(signIn.me, {})).user
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw new Error('Failed to fetch user', { cause: error })
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** A session that has ended elsewhere, or by itself, ends here too. */
function redirectIfSignedOut(error: Error) {
  if (!(error instanceof ApiError) || error.status !== 401) return
  const me = queryClient.getQueryData(meQuery.queryKey)
  if (me) saveInput(me.id)
  const screen = screens.find(({ path }) => path === location.pathname)
  if (screen?.showsAccessDenied) queryClient.setQueryData(meQuery.queryKey, null)
  else redirectToSignIn()
}

/** Leaves for the sign-in, which leads back here afterwards. */
export function redirectToSignIn() {
  location.assign(`/auth?next=${encodeURIComponent(location.pathname + location.search)}`)
}
