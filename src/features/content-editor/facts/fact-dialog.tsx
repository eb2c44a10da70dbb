import { type ComponentProps, type FormEvent, useId, useState } from 'react'
import { fieldErrors } from '../../../http/field-errors.ts'
import { CancelButton, Dialog } from '../../../ui/dialog/dialog.tsx'
import { errorsOfFailure, TextField, useFormErrors } from '../../../ui/form/field.tsx'
import { FactChange, type ListedFact } from './contract.ts'
import { useChangeFact } from './writes.ts'

const blank = { name: '', value: '', unit: '', asAt: '', label: '', url: '', reviewBy: '', endsOn: '' }
type Values = typeof blank

interface FactDialogProps {
  /** The fact to check again; null adds one. */
  readonly fact: ListedFact | null
  readonly onClose: () => void
}

/** Adds a fact, or what is now known of one. */
export function FactDialog({ fact, onClose }: FactDialogProps) {
  const formId = useId()
  const start = fact ? toValues(fact) : blank
  const [values, setValues] = useState<Values>(start)
  const [errors, showErrors] = useFormErrors(formId)
  const change = useChangeFact()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (change.isPending) return
    const checked = FactChange.safeParse(toChange(values, fact))
    if (!checked.success) return showErrors(fieldErrors(checked.error.issues))
    change.mutate(checked.data, { onSuccess: onClose, onError: error => showErrors(errorsOfFailure(error)) })
  }

  const field = (
    key: keyof Values,
    path: string,
  ): ComponentProps<'input'> & { error: string | undefined } => ({
    name: key,
    autoComplete: 'off',
    value: values[key],
    error: errors[path],
    onChange: event => setValues({ ...values, [key]: event.target.value }),
  })

  return (
    <Dialog
      title={fact ? `Check ${fact.name}` : 'Add a fact'}
      onClose={onClose}
      isTyped={Object.entries(start).some(([key, value]) => Reflect.get(values, key) !== value)}
      isBusy={change.isPending}
      actions={
        <>
          <CancelButton />
          <button
            type="submit"
            form={formId}
            className="button button-primary"
            aria-disabled={change.isPending}
          >
            {change.isPending ? 'Saving …' : 'Save'}
          </button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} aria-busy={change.isPending}>
        {!fact && (
          <TextField
            label="Name"
            hint="Use a to z, digits and hyphens. It never changes."
            {...field('name', 'name')}
          />
        )}
        <TextField label="Value" {...field('value', 'fact.value')} />
        <TextField label="Unit" hint="Leave empty for none." {...field('unit', 'fact.unit')} />
        <TextField label="As at" type="date" {...field('asAt', 'fact.asAt')} />
        <TextField label="Source" {...field('label', 'fact.source.label')} />
        <TextField label="Address of the source" type="url" {...field('url', 'fact.source.url')} />
        <TextField label="Check again by" type="date" {...field('reviewBy', 'fact.reviewBy')} />
        <TextField
          label="Last day"
          hint="From the day after, pages say that it has ended. Leave empty while none is known."
          type="date"
          {...field('endsOn', 'fact.endsOn')}
        />
      </form>
    </Dialog>
  )
}

function toValues({ name, fact }: ListedFact): Values {
  const { source, endsOn, ...rest } = fact
  return { name, ...rest, ...source, endsOn: endsOn ?? '' }
}

function toChange({ name, label, url, endsOn, ...rest }: Values, fact: ListedFact | null) {
  const source = { label, url: url.trim() }
  return {
    name: name.trim(),
    fact: { ...rest, source, endsOn: endsOn === '' ? null : endsOn },
    revision: fact?.revision ?? null,
  }
}
