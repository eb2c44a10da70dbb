import { queryOptions } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { claims } from './contract-claims.ts'

export const claimsQuery = queryOptions({
  queryKey: ['content', 'claims'],
  queryFn: async () => (await call(claims.list, {})).claims,
})
