import { useState } from 'react'
import type { ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import type { ListedFact } from '../facts/contract.ts'
import { factOptions } from '../facts/queries.ts'
import { ChoiceInput } from '../inputs/inputs.tsx'
import { LinkDialog, type LinkText } from './link-dialog.tsx'

export interface EditorDialogProps extends ReturnsFocus {
  /** What is asked for: a link, or a fact in place of this one, which is null for none. */
  readonly asks: { readonly link: LinkText } | { readonly fact: string | null }
  readonly facts: readonly ListedFact[]
  /** @param text null leaves it */
  readonly onLink: (href: string, text: string | null) => void
  readonly onUnlink: () => void
  readonly onFact: (name: string) => void
  readonly onClose: () => void
}

/** Asks for a link or a fact. It is loaded with the form, to keep the editor small. */
export function EditorDialog({ asks, facts, onLink, onUnlink, onFact, ...dialog }: EditorDialogProps) {
  if ('link' in asks) return <LinkDialog link={asks.link} onSave={onLink} onRemove={onUnlink} {...dialog} />
  return <FactPicker facts={facts} chosen={asks.fact} onChoose={onFact} {...dialog} />
}

interface FactPickerProps extends ReturnsFocus {
  readonly facts: readonly ListedFact[]
  /** The one that is replaced; null for none. */
  readonly chosen: string | null
  readonly onChoose: (name: string) => void
  readonly onClose: () => void
}

export function FactPicker({ facts, chosen, onChoose, ...dialog }: FactPickerProps) {
  const [name, setName] = useState(chosen ?? facts[0]?.name ?? '')
  return (
    <FormDialog
      {...dialog}
      title={chosen ? 'Change the fact' : 'Add a fact to the text'}
      action={chosen ? 'Save' : 'Add fact'}
      isReady={name !== ''}
      onSubmit={() => onChoose(name)}
    >
      <ChoiceInput
        field={{ type: 'choice', name: 'fact', label: 'Fact', options: factOptions(facts) }}
        path=""
        value={name}
        onChoose={setName}
      />
    </FormDialog>
  )
}
