import { describeOfficeTime } from '../../office-time.ts'
import type { OpenDocument } from './contract.ts'

/** Says before a publication that what is scheduled will not go live. */
export function ReplacedSchedule({ scheduled, timeZone }: Pick<OpenDocument, 'scheduled' | 'timeZone'>) {
  if (!scheduled) return null
  return (
    <p>
      Version {scheduled.number} was to go live {describeOfficeTime(scheduled.liveFrom, timeZone)}. This takes
      its place.
    </p>
  )
}
