import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { describeOfficeTime, placeOf } from '../../../office-time.ts'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceField, TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import { messages } from '../contract.ts'
import { useOptions } from '../queries.ts'
import { firstDay, morningOf, snoozeTimes } from '../toolbar/snooze-times.ts'
import type { BulkAction } from './use-bulk.ts'

interface BulkDialogProps {
  /** `3 messages` */
  readonly what: string
  readonly onAct: (action: BulkAction) => void
  readonly onClose: () => void
}

const dialogs = { assign: AssignDialog, tag: TagDialog, snooze: SnoozeDialog, delete: DeleteManyDialog }
export type BulkDialogName = keyof typeof dialogs

export function BulkDialog({ name, ...props }: BulkDialogProps & { readonly name: BulkDialogName }) {
  const Dialog = dialogs[name]
  return <Dialog {...props} />
}

function AssignDialog({ what, onAct, onClose }: BulkDialogProps) {
  const myId = useQuery(meQuery).data?.id
  const staff = useOptions()?.staff.filter(({ id, mayAnswer }) => mayAnswer && id !== myId) ?? []
  const options = {
    me: 'Me',
    '': 'Unassigned',
    ...Object.fromEntries(staff.map(({ id, name }) => [id, name])),
  }
  const [chosen, setChosen] = useState('me')

  function assign() {
    const name = staff.find(colleague => colleague.id === chosen)?.name
    const to = chosen === 'me' ? 'you' : (name ?? 'nobody')
    onAct({ change: { assignee: chosen || null }, words: `assigned to ${to}` })
  }

  return (
    <FormDialog title={`Assign ${what}`} action="Assign" onSubmit={assign} onClose={onClose}>
      <ChoiceField label="Assign to" options={options} value={chosen} onValue={setChosen} />
    </FormDialog>
  )
}

function TagDialog({ what, onAct, onClose }: BulkDialogProps) {
  const tags = useOptions()?.tags ?? []
  const [tag, setTag] = useState('')
  const [error, setError] = useState<string>()
  const id = useId()

  function add() {
    const checked = messages.change.input.safeParse({ id: crypto.randomUUID(), addTags: [tag] })
    if (!checked.success) return setError(checked.error.issues[0]?.message)
    onAct({ change: { addTags: [tag] }, words: `tagged ${tag.trim()}` })
  }

  return (
    <FormDialog title={`Tag ${what}`} action="Add tag" onSubmit={add} onClose={onClose}>
      <TextField label="Tag" list={id} value={tag} error={error} autoComplete="off" onValue={setTag} />
      <datalist id={id}>
        {tags.map(known => (
          <option key={known} value={known} />
        ))}
      </datalist>
    </FormDialog>
  )
}

const A_DATE = 'a date'
const END = 'end'

function SnoozeDialog({ what, onAct, onClose }: BulkDialogProps) {
  const timeZone = useOptions()?.timeZone
  const [now] = useState(() => new Date())
  const [chosen, setChosen] = useState<string>()
  const [day, setDay] = useState('')
  const [error, setError] = useState<string>()
  if (!timeZone) return null
  const times = snoozeTimes(now, timeZone).map(it => ({ ...it, until: it.until.toISOString() }))
  const choice = chosen ?? times[0]?.label ?? A_DATE
  const options = {
    ...Object.fromEntries(
      times.map(({ label, until }) => [label, `${label}: ${describeOfficeTime(until, timeZone)}`]),
    ),
    [A_DATE]: `A date, 9:00 am ${placeOf(timeZone)} time`,
    [END]: 'End the snooze',
  }

  function snooze(zone: string) {
    if (choice === END) return onAct({ change: { snoozedUntil: null }, words: 'no longer snoozed' })
    const [morning] = morningOf(A_DATE, day, zone)
    const until = times.find(({ label }) => label === choice)?.until ?? morning?.until.toISOString()
    if (!until) return setError('Choose a date')
    onAct({ change: { snoozedUntil: until }, words: `snoozed until ${describeOfficeTime(until, zone)}` })
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

function DeleteManyDialog({ what, onAct, onClose }: BulkDialogProps) {
  return (
    <ConfirmDialog
      title={`Delete ${what}`}
      question={`Are you sure you want to delete ${what}? This action cannot be undone. What another address sent and is merged into them stays, as enquiries of their own.`}
      action={`Delete ${what}`}
      isBusy={false}
      onConfirm={() => onAct({ change: { delete: true }, words: 'deleted' })}
      onClose={onClose}
    />
  )
}
