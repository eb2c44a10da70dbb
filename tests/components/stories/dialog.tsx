import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../src/ui/client.ts'
import { CancelButton, ConfirmDialog, Dialog } from '../../../src/ui/dialog/dialog.tsx'
import { errorsOfFailure, TextField, useFormErrors } from '../../../src/ui/form/field.tsx'
import { inputText, restoreInput, useInputBackup } from '../../../src/ui/form/input-backup.ts'
import { useWrite } from '../../../src/ui/form/use-write.ts'
import { showToast } from '../../../src/ui/toast/toast.ts'
import { things } from './contract.ts'

/** A screen with a button that opens a form, as most screens of the portal have one. */
export function DialogStory() {
  const [params, setParams] = useSearchParams()
  return (
    <main id="main">
      <h1>Things</h1>
      <button type="button" className="button" onClick={() => setParams({ thing: 'new' })}>
        Add thing
      </button>
      {params.has('thing') && <ThingDialog onClose={() => setParams({})} />}
    </main>
  )
}

function ThingDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => inputText(restoreInput('thing'), 'name') ?? '')
  const [isAsking, setAsking] = useState(false)
  const [errors, showErrors] = useFormErrors('thing')
  const create = useWrite({ mutationFn: (input: { name: string }) => call(things.create, input) })
  useInputBackup('thing', name ? { name } : null)

  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate(
      { name },
      {
        onSuccess() {
          showToast({ title: 'Thing Created' })
          onClose()
        },
        onError: error => showErrors(errorsOfFailure(error)),
      },
    )
  }

  return (
    <Dialog
      title="Add thing"
      onClose={onClose}
      isTyped={name !== ''}
      isBusy={create.isPending}
      actions={
        <>
          <button type="button" className="button" onClick={() => setAsking(true)}>
            Explain
          </button>
          <CancelButton />
          <button
            type="submit"
            form="thing"
            className="button button-primary"
            aria-disabled={create.isPending}
          >
            {create.isPending ? 'Saving …' : 'Save'}
          </button>
        </>
      }
    >
      <form id="thing" onSubmit={submit} noValidate>
        <TextField label="Name" value={name} onValue={setName} error={errors.name} />
        <label>
          Kind
          <select>
            <option>One</option>
            <option>Two</option>
          </select>
        </label>
      </form>
      {isAsking && (
        <ConfirmDialog
          title="An explanation"
          question="Is it understood?"
          action="Yes"
          isBusy={false}
          onConfirm={() => {
            showToast({ title: 'Understood' })
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Dialog>
  )
}
