import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { type UserAccount, users } from '../users/contract.ts'
import { type ApiToken, apiReference, apiTokens, type CreateToken, type NewApiToken } from './contract.ts'

/** The tokens of one user. */
export function tokensQuery(userId: string) {
  return queryOptions({
    queryKey: ['tokens', userId],
    queryFn: async () => (await call(apiTokens.list, { userId })).tokens,
  })
}

/** All users: an agency has so few staff that every page is fetched. */
export const ownersQuery = queryOptions({
  queryKey: ['users', 'owners'],
  async queryFn() {
    const all: UserAccount[] = []
    let cursor: string | undefined
    do {
      const page = await call(users.list, { cursor })
      all.push(...page.users)
      cursor = page.nextCursor
    } while (cursor)
    return all
  },
})

/** The API reference, which changes only with a new version. */
export const referenceQuery = queryOptions({
  queryKey: ['reference'],
  queryFn: () => call(apiReference.read, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

/** @param onCreated receives the secret, which is stored nowhere else */
export function useCreate(onCreated: (token: NewApiToken) => void) {
  const client = useQueryClient()
  return useWrite({
    mutationFn: async (input: CreateToken) => (await call(apiTokens.create, input)).token,
    gcTime: 0,
    onSuccess(token) {
      showToast({
        title: 'Token created successfully',
        description:
          "Your new API token has been created. Make sure to copy it now as it won't be shown again.",
      })
      onCreated(token)
    },
    onError: error => showFailure('Failed to create token', error, 'Failed to create token'),
    onSettled: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  })
}

/** Revokes a token. The list is fetched again even after a failure, because it may be out of date. */
export function useRevoke() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: ({ id }: Pick<ApiToken, 'id'>) => call(apiTokens.revoke, { tokenId: id }),
    onSuccess: () =>
      showToast({ title: 'Token revoked', description: 'The API token has been successfully revoked.' }),
    onError: error => showFailure('Failed to revoke token', error, 'Failed to revoke token'),
    onSettled: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  })
}
