import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceField, TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
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

  function assign() {
    const name = staff.find(colleague => colleague.id === chosen)?.name
    const to = chosen === 'me' ? 'you' : (name ?? 'nobody')
    onAct({ change: { assignee: chosen === '' ? null : chosen }, words: `assigned to ${to}` })
    onClose()
  }

  return (
    <FormDialog title={`Assign ${what}`} action="Assign" onSubmit={assign} onClose={onClose}>
      <ChoiceField
        label="Assign to"
        options={{
          me: 'Me',
          '': 'Unassigned',
          ...Object.fromEntries(staff.map(({ id, name }) => [id, name])),
        }}
        value={chosen}
        onValue={setChosen}
      />
    </FormDialog>
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
