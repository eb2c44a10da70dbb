import { TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { FactChange, type ListedFact } from './contract.ts'
import { useChangeFact } from './writes.ts'

const blank = { name: '', value: '', unit: '', asAt: '', label: '', url: '', reviewBy: '', endsOn: '' }
type Values = typeof blank

interface FactDialogProps {
  /** The fact to check again; null adds one. */
  readonly fact: ListedFact | null
  readonly onClose: () => void
}

export function FactDialog({ fact, onClose }: FactDialogProps) {
  const change = useChangeFact()
  const form = useForm({
    start: fact ? toValues(fact) : blank,
    schema: FactChange,
    toInput: values => toChange(values, fact),
    save: (sent, shown) => change.mutate(sent, { onSuccess: onClose, ...shown }),
    isBusy: change.isPending,
  })
  const at = (name: keyof Values, path: string) => ({ ...form.at(name, path), autoComplete: 'off' })
  return (
    <FormDialog
      {...form.dialog}
      title={fact ? `Check ${fact.name}` : 'Add a fact'}
      action="Save"
      onClose={onClose}
    >
      {!fact && (
        <TextField
          {...at('name', 'name')}
          label="Name"
          hint="Use a to z, digits and hyphens. It never changes."
        />
      )}
      <TextField {...at('value', 'fact.value')} label="Value" />
      <TextField {...at('unit', 'fact.unit')} label="Unit" hint="Leave empty for none." />
      <TextField {...at('asAt', 'fact.asAt')} label="As at" type="date" />
      <TextField {...at('label', 'fact.source.label')} label="Source" />
      <TextField {...at('url', 'fact.source.url')} label="Address of the source" type="url" />
      <TextField {...at('reviewBy', 'fact.reviewBy')} label="Check again by" type="date" />
      <TextField
        {...at('endsOn', 'fact.endsOn')}
        label="Last day"
        hint="From the day after, pages say that it has ended. Leave empty while none is known."
        type="date"
      />
    </FormDialog>
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
