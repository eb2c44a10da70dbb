import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeOfficeTime, fromOfficeClock, placeOf, toOfficeClock } from '../../../office-time.ts'
import { Button } from '../../../ui/button.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import type { OpenMessage } from '../contract.ts'
import { useOptions } from '../queries.ts'
import { Icon } from '../toolbar/icon.tsx'
import { snoozeTimes } from '../toolbar/snooze-times.ts'
import { MenuItem, ToolMenu } from '../toolbar/tool-menu.tsx'
import { MAX_SCHEDULED } from './contract.ts'
import { cancelScheduled } from './outgoing.ts'

/** The reply of this person that waits for its time. */
export function useOwnScheduled({ scheduled }: OpenMessage) {
  const userId = useQuery(meQuery).data?.id
  return scheduled?.find(({ by }) => by.id === userId)
}

interface SendLaterProps {
  readonly onChoose: (at: Date) => void
}

/** Chooses when a reply goes out, by the clock of the office. */
export function SendLater({ onChoose }: SendLaterProps) {
  const timeZone = useOptions()?.timeZone
  return (
    <ToolMenu label="Send later" icon="clock">
      {timeZone && <Times timeZone={timeZone} onChoose={onChoose} />}
    </ToolMenu>
  )
}

function Times({ timeZone, onChoose }: SendLaterProps & { readonly timeZone: string }) {
  const [now] = useState(() => new Date())
  const [typed, setTyped] = useState('')
  const at = fromOfficeClock(typed, timeZone)
  const isPast = at !== null && at <= new Date()
  const clock = (after: number) => toOfficeClock(new Date(now.getTime() + after), timeZone)
  return (
    <>
      {snoozeTimes(now, timeZone).map(({ label, until }) => (
        <MenuItem key={label} onChoose={() => onChoose(until)}>
          {label}
          <span className="quiet small">{describeOfficeTime(until.toISOString(), timeZone)}</span>
        </MenuItem>
      ))}
      <label className="small inbox-tool-field">
        A date and time, {placeOf(timeZone)} time
        <input
          className="control"
          type="datetime-local"
          min={clock(0)}
          max={clock(MAX_SCHEDULED)}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
      </label>
      {isPast && <p className="small inbox-tool-none">This time is over.</p>}
      <Button isIdle={!at || isPast} onClick={() => at && onChoose(at)}>
        Send then
      </Button>
    </>
  )
}

interface ScheduledRepliesProps {
  readonly open: OpenMessage
  /** The text is a draft again. */
  readonly onCancelled: () => void
}

/** What goes out by itself, above where somebody answers. */
export function ScheduledReplies({ open, onCancelled }: ScheduledRepliesProps) {
  const client = useQueryClient()
  const timeZone = useOptions()?.timeZone
  const own = useOwnScheduled(open)
  if (!timeZone) return null
  return open.scheduled?.map(({ by, sendsAt, isOutOfDate }) => {
    const whose = by.id === own?.by.id ? 'Your reply' : `${by.name}’s reply`
    const what = isOutOfDate
      ? 'will not be sent, because something has been said since it was written'
      : `goes out ${describeOfficeTime(sendsAt, timeZone)}`
    return (
      <div key={by.id} className="line wrap inbox-scheduled" role="status">
        <Icon name="clock" />
        <span className="break">
          {whose} {what}
        </span>
        {by.id === own?.by.id && (
          <Button
            onClick={async () => {
              if (await cancelScheduled(client, open.message.id)) onCancelled()
            }}
          >
            Cancel sending
          </Button>
        )}
      </div>
    )
  })
}
