import { type FormEvent, useId, useState } from 'react'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

interface NoteDialogProps {
  readonly title: string
  readonly explanation: string
  readonly label: string
  readonly action: string
  /** What is wrong with an empty note; without it the note may be left out. */
  readonly required?: string
  readonly isBusy: boolean
  readonly onSubmit: (note: string) => void
  readonly onClose: () => void
}

/** Asks for a note to a colleague. */
export function NoteDialog({
  title,
  explanation,
  label,
  action,
  required,
  isBusy,
  ...props
}: NoteDialogProps) {
  const formId = useId()
  const [note, setNote] = useState('')
  const [error, setError] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (required && !note.trim()) return setError(required)
    props.onSubmit(note.trim())
  }

  return (
    <Dialog
      title={title}
      onClose={props.onClose}
      isTyped={note !== ''}
      isBusy={isBusy}
      actions={
        <>
          <CancelButton />
          <button type="submit" form={formId} className="button button-primary" aria-disabled={isBusy}>
            {isBusy ? 'Sending …' : action}
          </button>
        </>
      }
    >
      <p>{explanation}</p>
      <form id={formId} noValidate onSubmit={submit} aria-busy={isBusy}>
        <TextField
          label={label}
          autoComplete="off"
          maxLength={300}
          value={note}
          error={error}
          onChange={event => setNote(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
