import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { describeOfficeTime } from '../../../office-time.ts'
import { Button } from '../../../ui/button.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import type { Message } from '../contract.ts'
import { useOptions } from '../queries.ts'
import { FilteredChoices } from './filtered-choices.tsx'
import { Icon, Key } from './icon.tsx'
import { assign, markAsSpam, markAsUnread, nextStatus, snoozeNow } from './snooze-times.ts'
import { TimeChoices } from './time-choices.tsx'
import { MenuItem, ToolMenu } from './tool-menu.tsx'
import type { ChangeRequest } from './use-change.ts'

/** Below the choices that are there at once. */
const SnoozeUntilDay = lazily(async () => (await import('./snooze-until-day.tsx')).SnoozeUntilDay)

export interface ToolbarProps {
  readonly message: Message
  readonly isForwarding: boolean
  readonly onChange: (change: ChangeRequest) => void
  readonly onForward: () => void
  readonly onForwardTo: () => void
  readonly onPhoneCall: () => void
  /** Undefined when the user may not do it, as the next one. */
  readonly onDownload: (() => void) | undefined
  readonly onDelete: (() => void) | undefined
}

export function Toolbar({ message, onChange, ...props }: ToolbarProps) {
  const change = { message, onChange }
  const next = nextStatus(message)
  useShortcuts({
    e: () => onChange(next.change),
    '!': message.status === 'spam' ? undefined : () => onChange(markAsSpam(message)),
  })

  return (
    <>
      <AssignMenu {...change} />
      <SnoozeMenu {...change} />
      <TagMenu {...change} />
      <Button
        kind="quiet"
        className="beyond-phone inbox-tool-close"
        aria-keyshortcuts="e"
        onClick={() => onChange(next.change)}
      >
        <Icon name="close" />
        {next.label}
        <Key name="E" />
      </Button>
      <ToolMenu label={props.isForwarding ? 'Forwarding …' : 'Forward'} shortcut="F" icon="forward">
        <MenuItem onChoose={() => !props.isForwarding && props.onForward()}>Forward by email</MenuItem>
        <MenuItem onChoose={props.onForwardTo}>To a colleague …</MenuItem>
      </ToolMenu>
      <ToolMenu label="More actions">
        {/* Also before it counts as read: the others would move from under somebody's pointer when it does. */}
        <MenuItem onChoose={() => onChange(markAsUnread(message))}>Mark as unread</MenuItem>
        {message.status !== 'spam' && (
          <MenuItem onChoose={() => onChange(markAsSpam(message))}>Mark as spam</MenuItem>
        )}
        <MenuItem onChoose={props.onPhoneCall}>Add phone call</MenuItem>
        {props.onDownload && <MenuItem onChoose={props.onDownload}>Download …</MenuItem>}
        {props.onDelete && (
          <MenuItem isDanger onChoose={props.onDelete}>
            Delete …
          </MenuItem>
        )}
      </ToolMenu>
    </>
  )
}

type ChangeMenuProps = Pick<ToolbarProps, 'message' | 'onChange'>

/** Hides a message from those that are open until a time, by the clock of the office. */
function SnoozeMenu({ message, onChange }: ChangeMenuProps) {
  const timeZone = useOptions()?.timeZone
  const before = snoozeNow(message.snoozedUntil)
  const snooze = (until: string | null, done: string) =>
    onChange({ message, fields: { snoozedUntil: until }, done, undo: { snoozedUntil: before } })
  return (
    <ToolMenu label="Snooze" shortcut="S" icon="clock">
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
  const choose = (until: Date) =>
    onChoose(until.toISOString(), `Snoozed until ${describeOfficeTime(until.toISOString(), timeZone)}`)
  return (
    <>
      <TimeChoices now={now} timeZone={timeZone} onChoose={choose} />
      <SnoozeUntilDay now={now} timeZone={timeZone} onChoose={choose} />
    </>
  )
}

/** Hands a message to somebody who may answer it. */
function AssignMenu({ message, onChange }: ChangeMenuProps) {
  const { assignee } = message
  const me = useQuery(meQuery).data
  const colleagues = (useOptions()?.staff ?? []).filter(({ id, mayAnswer }) => mayAnswer && id !== me?.id)
  const assignTo = (id: string | null, done: string) => {
    if (id !== (assignee?.id ?? null)) onChange(assign(message, id, done))
  }
  const choice = (id: string | null, label: string, done: string) => ({
    key: id ?? 'nobody',
    label,
    isCurrent: (assignee?.id ?? null) === id,
    onChoose: () => assignTo(id, done),
  })
  const choices = [
    ...(me ? [choice(me.id, `Me (${me.name})`, 'Assigned to you')] : []),
    ...colleagues.map(({ id, name }) => choice(id, name, `Assigned to ${name}`)),
    choice(null, 'Nobody', 'Assigned to nobody'),
  ]
  return (
    <ToolMenu label="Assign" shortcut="A" icon="assign">
      <FilteredChoices label="Assign to" choices={choices} />
    </ToolMenu>
  )
}

/** Adds and removes tags. Those in use are offered while somebody types. */
function TagMenu({ message, onChange }: ChangeMenuProps) {
  const { tags } = message
  const known = useOptions()?.tags ?? []
  const set = (changed: string[]) => onChange({ message, fields: { tags: changed } })
  const add = (tag: string) => tag && set([...tags, tag])

  return (
    <ToolMenu label="Tag" shortcut="#" icon="tag">
      <FilteredChoices
        label="Add a tag"
        onEnter={add}
        choices={known
          .filter(tag => !tags.includes(tag))
          .map(tag => ({ key: tag, label: tag, onChoose: () => add(tag) }))}
      >
        {typed => (
          <Button isIdle={!typed} onClick={() => add(typed)}>
            Add
          </Button>
        )}
      </FilteredChoices>
      <TagList tags={tags} onRemove={tag => set(tags.filter(it => it !== tag))} />
    </ToolMenu>
  )
}

interface TagListProps {
  readonly tags: readonly string[]
  readonly onRemove?: ((tag: string) => void) | undefined
}

export function TagList({ tags, onRemove }: TagListProps) {
  return (
    <ul className="inbox-tags">
      {tags.map(tag => (
        <li key={tag} className="inbox-tag">
          <bdi>{tag}</bdi>
          {onRemove && (
            <button
              type="button"
              className="bare quiet"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => onRemove(tag)}
            >
              <span aria-hidden="true">✕</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
