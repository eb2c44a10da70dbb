import { describeOfficeTime } from '../../../office-time.ts'
import { snoozeTimes } from './snooze-times.ts'
import { MenuItem } from './tool-menu.tsx'

interface TimeChoicesProps {
  readonly now: Date
  readonly timeZone: string
  readonly onChoose: (until: Date) => void
}

/** When something comes back, or goes out. They are so few that a field to look among them would only be in the way. */
export function TimeChoices({ now, timeZone, onChoose }: TimeChoicesProps) {
  return snoozeTimes(now, timeZone).map(({ label, until }) => (
    <MenuItem key={label} onChoose={() => onChoose(until)}>
      {label}
      <span className="quiet small">{describeOfficeTime(until.toISOString(), timeZone)}</span>
    </MenuItem>
  ))
}
