import { useId, useState } from 'react'
import { describeOfficeTime, placeOf } from '../../../office-time.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { firstDay, morningOf, snoozeTimes } from '../toolbar/snooze-times.ts'
import { useOptions } from '../toolbar/use-options.ts'
import { ActionDialog, type BulkDialogProps } from './bulk-dialogs.tsx'

const A_DATE = 'a date'
const END = 'end'

export function SnoozeDialog({ what, onAct, onClose }: BulkDialogProps) {
  const timeZone = useOptions()?.timeZone
  const [now] = useState(() => new Date())
  const [chosen, setChosen] = useState<string>()
  const [day, setDay] = useState('')
  const [error, setError] = useState<string>()
  const id = useId()
  if (!timeZone) return null
  const times = snoozeTimes(now, timeZone)
  const choice = chosen ?? times[0]?.label

  function snooze(zone: string) {
    const end = [...times, ...morningOf(A_DATE, day, zone)].find(({ label }) => label === choice)?.until
    if (!end && choice !== END) return setError('Choose a date')
    const until = end?.toISOString() ?? null
    const words = until ? `snoozed until ${describeOfficeTime(until, zone)}` : 'no longer snoozed'
    onAct({ change: { snoozedUntil: until }, words })
    onClose()
  }

  return (
    <ActionDialog
      title={`Snooze ${what}`}
      action="Snooze"
      onSubmit={() => snooze(timeZone)}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor={id}>Until</label>
        <select className="control" id={id} value={choice} onChange={event => setChosen(event.target.value)}>
          {times.map(({ label, until }) => (
            <option key={label} value={label}>
              {label}: {describeOfficeTime(until.toISOString(), timeZone)}
            </option>
          ))}
          <option value={A_DATE}>A date, 9:00 am {placeOf(timeZone)} time</option>
          <option value={END}>End the snooze</option>
        </select>
      </div>
      {choice === A_DATE && (
        <TextField
          label="Date"
          type="date"
          min={firstDay(now, timeZone)}
          value={day}
          error={error}
          onChange={event => setDay(event.target.value)}
        />
      )}
    </ActionDialog>
  )
}
