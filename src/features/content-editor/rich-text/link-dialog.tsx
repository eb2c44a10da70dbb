import { type FormEvent, useId, useState } from 'react'
import { LinkTarget } from '../../../content/rich-text.ts'
import { Button } from '../../../ui/button.tsx'
import { CancelButton, Dialog, type ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { TextField, useFormErrors } from '../../../ui/form/field.tsx'
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
  const formId = useId()
  const [href, setHref] = useState(link.href)
  const [text, setText] = useState(link.text)
  const [errors, showErrors] = useFormErrors(formId)
  const isNew = link.href === ''

  function submit(event: FormEvent) {
    event.preventDefault()
    const checked = LinkTarget.safeParse(href.trim())
    if (!checked.success) return showErrors({ href: checked.error.issues[0]?.message })
    onSave(checked.data, text === '' ? checked.data : text)
  }

  return (
    <Dialog
      title={isNew ? 'Add a link' : 'Change the link'}
      onClose={onClose}
      returnTo={returnTo}
      isTyped={href !== link.href || text !== link.text}
      actions={
        <>
          {!isNew && (
            <Button kind="danger-quiet" onClick={onRemove}>
              Remove link
            </Button>
          )}
          <CancelButton />
          <button type="submit" form={formId} className="button button-primary">
            {isNew ? 'Add link' : 'Save'}
          </button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
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
      </form>
    </Dialog>
  )
}
