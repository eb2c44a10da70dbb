import { useId, useState } from 'react'
import { LinkTarget } from '../../../content/rich-text.ts'
import { Button } from '../../../ui/button.tsx'
import type { ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { TextField, useFormErrors } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import type { ListedFact } from '../facts/contract.ts'
import { factOptions } from '../facts/queries.ts'
import { ChoiceInput, PagePicker } from '../inputs/inputs.tsx'

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

export interface LinkText {
  /** Empty where there is no link yet. */
  readonly href: string
  /** Null where it is more than text in one block, so that its text stays. */
  readonly text: string | null
}

interface LinkDialogProps extends ReturnsFocus {
  readonly link: LinkText
  /** @param text null leaves it */
  readonly onSave: (href: string, text: string | null) => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** The address and the text of a link. */
export function LinkDialog({ link, onSave, onRemove, onClose, returnTo }: LinkDialogProps) {
  const id = useId()
  const [href, setHref] = useState(link.href)
  const [text, setText] = useState(link.text)
  const [errors, showErrors] = useFormErrors(id)
  const isNew = link.href === ''

  function submit() {
    const checked = LinkTarget.safeParse(href.trim())
    if (!checked.success) return showErrors({ href: checked.error.issues[0]?.message })
    onSave(checked.data, text === '' ? checked.data : text)
  }

  return (
    <FormDialog
      id={id}
      title={isNew ? 'Add a link' : 'Change the link'}
      action={isNew ? 'Add link' : 'Save'}
      otherActions={
        !isNew && (
          <Button kind="danger-quiet" onClick={onRemove}>
            Remove link
          </Button>
        )
      }
      isTyped={href !== link.href || text !== link.text}
      onSubmit={submit}
      onClose={onClose}
      returnTo={returnTo}
    >
      <TextField
        label="Address"
        hint="/fees, https://…, mailto:… or tel:…"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        value={href}
        error={errors.href}
        onValue={setHref}
      />
      <PagePicker address={href} onChoose={setHref} />
      {text !== null && <TextField label="Text" autoComplete="off" value={text} onValue={setText} />}
    </FormDialog>
  )
}
