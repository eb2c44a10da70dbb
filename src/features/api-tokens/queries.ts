import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useWrite } from '../../ui/use-write.ts'
import { type UserAccount, users } from '../users/contract.ts'
import { type ApiToken, apiReference, apiTokens, type CreateToken, type NewApiToken } from './contract.ts'

/** The tokens of one user. */
export function tokensQuery(userId: string) {
  return queryOptions({
    queryKey: ['tokens', userId],
    queryFn: async () => (await call(apiTokens.list, { userId })).tokens,
  })
}

/** Everyone for whom a token can speak: an agency's staff, so few that all are read. */
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

/** What all calls take and answer; it changes with a new version only. */
export const referenceQuery = queryOptions({
  queryKey: ['reference'],
  queryFn: () => call(apiReference.read, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

/** @param onCreated is given the secret, which is kept nowhere else */
export function useCreate(onCreated: (token: NewApiToken) => void) {
  const client = useQueryClient()
  return useWrite({
    mutationFn: async (wish: CreateToken) => (await call(apiTokens.create, wish)).token,
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

/** Revokes; whether or not that worked, the list is read again, since it was not as it seemed. */
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
