import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeOfficeTime, fromOfficeClock, placeOf, toOfficeClock } from '../../../office-time.ts'
import { Button } from '../../../ui/button.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import type { OpenMessage } from '../contract.ts'
import { scheduledOf } from '../drafts/drafts.ts'
import { useOptions } from '../queries.ts'
import { Icon } from '../toolbar/icon.tsx'
import { TimeChoices } from '../toolbar/time-choices.tsx'
import { ToolMenu } from '../toolbar/tool-menu.tsx'
import { MAX_SCHEDULED } from './contract.ts'
import { cancelScheduled } from './outgoing.ts'

/** The reply of this person that waits for its time. */
export const useOwnScheduled = (open: OpenMessage) => scheduledOf(open, useQuery(meQuery).data?.id)

interface SendLaterProps {
  /** Whether nothing is written. */
  readonly isEmpty: boolean
  readonly onChoose: (at: Date) => void
}

/** Chooses when a reply goes out, by the clock of the office. */
export function SendLater({ isEmpty, onChoose }: SendLaterProps) {
  const timeZone = useOptions()?.timeZone
  return (
    <ToolMenu label="Send later" icon="clock">
      {isEmpty && <p className="small inbox-tool-none">Write something first.</p>}
      {!isEmpty && timeZone && <Times timeZone={timeZone} onChoose={onChoose} />}
    </ToolMenu>
  )
}

interface TimesProps extends Pick<SendLaterProps, 'onChoose'> {
  readonly timeZone: string
}

function Times({ timeZone, onChoose }: TimesProps) {
  const [now] = useState(() => new Date())
  const [typed, setTyped] = useState('')
  const at = fromOfficeClock(typed, timeZone)
  const isPast = at !== null && at <= new Date()
  const clock = (after: number) => toOfficeClock(new Date(now.getTime() + after), timeZone)
  return (
    <>
      <TimeChoices now={now} timeZone={timeZone} onChoose={onChoose} />
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
      {isPast && <p className="small inbox-tool-none">That time has passed.</p>}
      <Button isIdle={!at || isPast} onClick={() => at && onChoose(at)}>
        Schedule
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
  return open.scheduled?.map(reply => {
    const { by, sendsAt, obstacle } = reply
    const isOwn = by.id === own?.by.id
    const when = Date.parse(sendsAt) > Date.now() ? describeOfficeTime(sendsAt, timeZone) : 'in a moment'
    return (
      <div key={by.id} className="line wrap inbox-scheduled" role="status">
        <Icon name="clock" />
        <span className="break inbox-scheduled-words">
          {isOwn ? 'Your reply' : `${by.name}’s reply`}{' '}
          {obstacle ? `will not be sent. ${obstacle}.` : `goes out ${when}`}
        </span>
        {(isOwn || !obstacle) && (
          <Button
            aria-label={isOwn ? undefined : `Cancel sending ${by.name}’s reply`}
            onClick={async () => {
              if ((await cancelScheduled(client, open.message.id, reply, isOwn)) && isOwn) onCancelled()
            }}
          >
            {obstacle ? 'Edit the reply' : 'Cancel sending'}
          </Button>
        )}
      </div>
    )
  })
}
