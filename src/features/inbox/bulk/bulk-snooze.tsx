import { useState } from 'react'
import { describeOfficeTime, placeOf } from '../../../office-time.ts'
import { ChoiceField, TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { firstDay, morningOf, snoozeTimes } from '../toolbar/snooze-times.ts'
import { useOptions } from '../toolbar/use-options.ts'
import type { BulkDialogProps } from './bulk-dialogs.tsx'

const A_DATE = 'a date'
const END = 'end'

export function SnoozeDialog({ what, onAct, onClose }: BulkDialogProps) {
  const timeZone = useOptions()?.timeZone
  const [now] = useState(() => new Date())
  const [chosen, setChosen] = useState<string>()
  const [day, setDay] = useState('')
  const [error, setError] = useState<string>()
  if (!timeZone) return null
  const times = snoozeTimes(now, timeZone)
  const choice = chosen ?? times[0]?.label ?? A_DATE
  const options = {
    ...Object.fromEntries(
      times.map(({ label, until }) => [
        label,
        `${label}: ${describeOfficeTime(until.toISOString(), timeZone)}`,
      ]),
    ),
    [A_DATE]: `A date, 9:00 am ${placeOf(timeZone)} time`,
    [END]: 'End the snooze',
  }

  function snooze(zone: string) {
    const end = [...times, ...morningOf(A_DATE, day, zone)].find(({ label }) => label === choice)?.until
    if (!end && choice !== END) return setError('Choose a date')
    const until = end?.toISOString() ?? null
    const words = until ? `snoozed until ${describeOfficeTime(until, zone)}` : 'no longer snoozed'
    onAct({ change: { snoozedUntil: until }, words })
    onClose()
  }

  return (
    <FormDialog title={`Snooze ${what}`} action="Snooze" onSubmit={() => snooze(timeZone)} onClose={onClose}>
      <ChoiceField label="Until" options={options} value={choice} onValue={setChosen} />
      {choice === A_DATE && (
        <TextField
          label="Date"
          type="date"
          min={firstDay(now, timeZone)}
          value={day}
          error={error}
          onValue={setDay}
        />
      )}
    </FormDialog>
  )
}
