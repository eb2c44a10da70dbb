import { queryOptions } from '@tanstack/react-query'
import { seconds } from '../../../platform/clock.ts'
import { call } from '../../../ui/client.ts'
import { settings } from '../contract.ts'

/** Read again only while emails fail: then somebody waits for the line about it to go. */
const WHILE_FAILING = seconds(20)

/** Whether emails come through. It is read with each screen, and when somebody comes back to the window. */
export const mailStatusQuery = queryOptions({
  queryKey: ['mail-status'],
  queryFn: () => call(settings.mailStatus, {}),
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => (state.data && state.data.state !== 'working' ? WHILE_FAILING : false),
})
