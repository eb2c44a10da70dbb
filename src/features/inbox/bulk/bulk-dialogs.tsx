import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { CancelButton, ConfirmDialog, Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import { messages } from '../contract.ts'
import { useOptions } from '../toolbar/use-options.ts'
import type { BulkAction } from './use-bulk.ts'

export interface BulkDialogProps {
  /** `3 messages` */
  readonly what: string
  readonly onAct: (action: BulkAction) => void
  readonly onClose: () => void
}

export function AssignDialog({ what, onAct, onClose }: BulkDialogProps) {
  const myId = useQuery(meQuery).data?.id
  const staff = useOptions()?.staff.filter(({ id, mayAnswer }) => mayAnswer && id !== myId) ?? []
  const [chosen, setChosen] = useState('me')
  const id = useId()

  function assign() {
    const name = staff.find(colleague => colleague.id === chosen)?.name
    const to = chosen === 'me' ? 'you' : (name ?? 'nobody')
    onAct({ change: { assignee: chosen === '' ? null : chosen }, words: `assigned to ${to}` })
    onClose()
  }

  return (
    <ActionDialog title={`Assign ${what}`} action="Assign" onSubmit={assign} onClose={onClose}>
      <div className="field">
        <label htmlFor={id}>Assign to</label>
        <select className="control" id={id} value={chosen} onChange={event => setChosen(event.target.value)}>
          <option value="me">Me</option>
          <option value="">Unassigned</option>
          {staff.map(colleague => (
            <option key={colleague.id} value={colleague.id}>
              {colleague.name}
            </option>
          ))}
        </select>
      </div>
    </ActionDialog>
  )
}

export function TagDialog({ what, onAct, onClose }: BulkDialogProps) {
  const tags = useOptions()?.tags ?? []
  const [tag, setTag] = useState('')
  const [error, setError] = useState<string>()
  const id = useId()

  function add() {
    const checked = messages.change.input.safeParse({ id: crypto.randomUUID(), addTags: [tag] })
    if (!checked.success) return setError(checked.error.issues[0]?.message)
    onAct({ change: { addTags: [tag] }, words: `tagged ${tag.trim()}` })
    onClose()
  }

  return (
    <ActionDialog title={`Tag ${what}`} action="Add tag" onSubmit={add} onClose={onClose}>
      <TextField
        label="Tag"
        list={id}
        value={tag}
        error={error}
        autoComplete="off"
        onChange={event => setTag(event.target.value)}
      />
      <datalist id={id}>
        {tags.map(known => (
          <option key={known} value={known} />
        ))}
      </datalist>
    </ActionDialog>
  )
}

export function DeleteManyDialog({ what, onAct, onClose }: BulkDialogProps) {
  return (
    <ConfirmDialog
      title={`Delete ${what}`}
      question={`Are you sure you want to delete ${what}? This action cannot be undone. What another address sent and is merged into them stays, as enquiries of their own.`}
      action={`Delete ${what}`}
      isBusy={false}
      onConfirm={() => {
        onAct({ change: { delete: true }, words: 'deleted' })
        onClose()
      }}
      onClose={onClose}
    />
  )
}

interface ActionDialogProps {
  readonly title: string
  readonly action: string
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: React.ReactNode
}

export function ActionDialog({ title, action, onSubmit, onClose, children }: ActionDialogProps) {
  const form = useId()
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <CancelButton />
          <button type="submit" form={form} className="button button-primary">
            {action}
          </button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate>
        {children}
      </form>
    </Dialog>
  )
}
