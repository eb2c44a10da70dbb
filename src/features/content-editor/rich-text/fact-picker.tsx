import { type FormEvent, useId, useState } from 'react'
import { CancelButton, Dialog, type ReturnsFocus } from '../../../ui/dialog.tsx'
import type { ListedFact } from '../contract-facts.ts'
import { factOptions } from '../facts-queries.ts'

interface FactPickerProps extends ReturnsFocus {
  readonly facts: readonly ListedFact[]
  /** The one that is replaced; null for none. */
  readonly chosen: string | null
  readonly onChoose: (name: string) => void
  readonly onClose: () => void
}

/** One of the facts that there are. */
export function FactPicker({ facts, chosen, onChoose, onClose, returnTo }: FactPickerProps) {
  const id = useId()
  const [name, setName] = useState(chosen ?? facts[0]?.name ?? '')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name) onChoose(name)
  }

  return (
    <Dialog
      title={chosen ? 'Change the fact' : 'Add a fact to the text'}
      onClose={onClose}
      returnTo={returnTo}
      actions={
        <>
          <CancelButton />
          <button type="submit" form={`${id}form`} className="button button-primary" aria-disabled={!name}>
            {chosen ? 'Save' : 'Add fact'}
          </button>
        </>
      }
    >
      <form id={`${id}form`} onSubmit={submit}>
        <div className="field">
          <label htmlFor={id}>Fact</label>
          <p className="field-hint" id={`${id}hint`}>
            The text always shows its present value.
          </p>
          <select
            className="control"
            id={id}
            aria-describedby={`${id}hint`}
            value={name}
            onChange={({ target }) => setName(target.value)}
          >
            {chosen && !facts.some(fact => fact.name === chosen) && <option value={chosen}>{chosen}</option>}
            {Object.entries(factOptions(facts)).map(([option, label]) => (
              <option key={option} value={option}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </form>
    </Dialog>
  )
}
