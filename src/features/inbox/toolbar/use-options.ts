import { queryOptions, useQuery } from '@tanstack/react-query'
import { describeOfficeTime } from '../../../office-time.ts'
import { seconds } from '../../../platform/clock.ts'
import { call } from '../../../ui/client.ts'
import { formatDateTime } from '../../../ui/dates.ts'
import { messages } from '../contract.ts'

/** They hardly ever change, and every message that is opened asks for them. */
const FRESH = seconds(10)

/** Staff and tags to choose from, and the time zone of the office. */
const optionsQuery = queryOptions({
  queryKey: ['messages', 'options'],
  queryFn: () => call(messages.options, {}),
  staleTime: FRESH,
})

export function useOptions() {
  return useQuery(optionsQuery).data
}

/** How the time of a snooze is shown: as a clock in the office shows it. */
export function useOfficeTime(): (iso: string) => string {
  const timeZone = useOptions()?.timeZone
  return iso => (timeZone ? describeOfficeTime(iso, timeZone) : formatDateTime(iso))
}
