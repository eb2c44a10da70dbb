import { queryOptions } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { dashboard } from './contract.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: () => call(dashboard.read, {}),
})
