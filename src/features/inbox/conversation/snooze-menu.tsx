import { useState } from 'react'
import { describeOfficeTime, placeOf } from '../../../office-time.ts'
import { MAX_SNOOZE } from '../contract.ts'
import type { ChangeMenuProps } from './assign-menu.tsx'
import { FilteredChoices } from './filtered-choices.tsx'
import { firstDay, morningOf, snoozeNow, snoozeTimes } from './snooze-times.ts'
import { MenuItem, ToolMenu } from './tool-menu.tsx'
import { useOptions } from './use-options.ts'

/** Hides a message from those that are open until a time, by the clock of the office. */
export function SnoozeMenu({ message, menu, onChange }: ChangeMenuProps) {
  const timeZone = useOptions()?.timeZone
  const before = snoozeNow(message.snoozedUntil)
  const snooze = (until: string | null, done: string) =>
    onChange({ message, fields: { snoozedUntil: until }, done, undo: { snoozedUntil: before } })
  return (
    <ToolMenu label="Snooze" shortcut="S" icon="clock" menu={menu}>
      {before && <MenuItem onChoose={() => snooze(null, 'No longer snoozed')}>End the snooze</MenuItem>}
      {timeZone && <Times timeZone={timeZone} onChoose={snooze} />}
    </ToolMenu>
  )
}

interface TimesProps {
  readonly timeZone: string
  readonly onChoose: (until: string, done: string) => void
}

function Times({ timeZone, onChoose }: TimesProps) {
  const [now] = useState(() => new Date())
  const [day, setDay] = useState('')
  const [chosen] = morningOf('', day, timeZone)
  const choose = (until: Date) =>
    onChoose(until.toISOString(), `Snoozed until ${describeOfficeTime(until.toISOString(), timeZone)}`)
  return (
    <>
      <FilteredChoices
        label="Snooze until"
        choices={snoozeTimes(now, timeZone).map(({ label, until }) => ({
          key: label,
          label,
          detail: describeOfficeTime(until.toISOString(), timeZone),
          onChoose: () => choose(until),
        }))}
      />
      <label className="inbox-tool-field">
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
      <button
        type="button"
        className="button"
        aria-disabled={!chosen}
        onClick={() => chosen && choose(chosen.until)}
      >
        Snooze until then
      </button>
    </>
  )
}

/** Milliseconds: the last day ends before the longest snooze does. */
const TWO_DAYS = 2 * 24 * 60 * 60 * 1000
