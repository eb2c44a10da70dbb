import { useState } from 'react'
import { placeOf } from '../../../office-time.ts'
import { days } from '../../../platform/clock.ts'
import { Button } from '../../../ui/button.tsx'
import { MAX_SNOOZE } from '../contract.ts'
import { firstDay, morningOf } from './snooze-times.ts'

interface SnoozeUntilDayProps {
  readonly now: Date
  readonly timeZone: string
  readonly onChoose: (until: Date) => void
}

/** Any day, at 9 am by the clock of the office. */
export function SnoozeUntilDay({ now, timeZone, onChoose }: SnoozeUntilDayProps) {
  const [day, setDay] = useState('')
  const [chosen] = morningOf('', day, timeZone)
  return (
    <>
      <label className="small inbox-tool-field">
        A date, 9:00 am {placeOf(timeZone)} time
        <input
          className="control"
          type="date"
          min={firstDay(now, timeZone)}
          max={firstDay(new Date(now.getTime() + MAX_SNOOZE - TWO_DAYS), timeZone)}
          value={day}
          onChange={event => setDay(event.target.value)}
        />
      </label>
      <Button isIdle={!chosen} onClick={() => chosen && onChoose(chosen.until)}>
        Snooze until then
      </Button>
    </>
  )
}

/** Milliseconds: the last day ends before the longest snooze does. */
const TWO_DAYS = days(2)
