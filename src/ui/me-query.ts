import { queryOptions, useQuery } from '@tanstack/react-query'
import { isGranted, type StaffAccess } from '../auth/permissions.ts'
import { signIn } from '../features/sign-in/contract.ts'
import { ApiError } from '../http/api-client.ts'
import { call } from './client.ts'
import { keyOf } from './use-call.ts'

/** The signed-in user and their permissions; null when nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: keyOf(signIn.me),
  queryFn: async ({ client, queryKey }) => {
    try {
      const { user, permissions } = await call(signIn.me, {})
      return { ...user, permissions }
    } catch (error) {
      // The portal is left by who was signed in, with what they have typed: `checkWhoIsSignedIn`.
      const wasSignedIn = Boolean(client.getQueryData(queryKey))
      if (error instanceof ApiError && error.status === 401) return wasSignedIn ? Promise.reject(error) : null
      throw new Error('Failed to fetch user', { cause: error })
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The sign-in page, which leads back to this screen afterwards. */
export const signInUrl = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>) =>
  `/auth?next=${encodeURIComponent(pathname + search)}`

export function redirectToSignIn() {
  location.assign(signInUrl(location))
}

/** Whether the signed-in user may make a call, so that only controls are shown that will not be refused. */
export function useMayCall() {
  const { data: me } = useQuery(meQuery)
  return ({ access }: { readonly access: StaffAccess }) => isGranted(access, me?.permissions ?? [])
}
