import { queryOptions, useQuery } from '@tanstack/react-query'
import { describeOfficeTime } from '../../../office-time.ts'
import { call } from '../../../ui/client.ts'
import { formatDateTime } from '../../../ui/dates.ts'
import { messages } from '../contract.ts'

/** Milliseconds. Several parts of a message that is being opened ask for the same. */
const JUST_READ = 1000

/** Staff and tags to choose from, and the time zone of the office. */
const optionsQuery = queryOptions({
  queryKey: ['messages', 'options'],
  queryFn: () => call(messages.options, {}),
  staleTime: JUST_READ,
})

export function useOptions() {
  return useQuery(optionsQuery).data
}

/** How the time of a snooze is shown: as a clock in the office shows it. An office hardly ever moves. */
export function useOfficeTime(): (iso: string) => string {
  const timeZone = useQuery({ ...optionsQuery, staleTime: Number.POSITIVE_INFINITY }).data?.timeZone
  return iso => (timeZone ? describeOfficeTime(iso, timeZone) : formatDateTime(iso))
}
