import { useId, useState } from 'react'
import { LinkTarget } from '../../../content/rich-text.ts'
import { Button } from '../../../ui/button.tsx'
import type { ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { TextField, useFormErrors } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { PAGES_LIST } from '../inputs/inputs.tsx'

/** What a link is made of, or is already one. */
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
        hint="A page of the list, https://…, mailto:… or tel:…"
        inputMode="url"
        list={PAGES_LIST}
        autoComplete="off"
        autoCapitalize="none"
        value={href}
        error={errors.href}
        onValue={setHref}
      />
      {text !== null && <TextField label="Text" autoComplete="off" value={text} onValue={setText} />}
    </FormDialog>
  )
}
