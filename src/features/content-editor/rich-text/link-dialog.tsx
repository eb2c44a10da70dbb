import * as z from 'zod/mini'
import { LinkTarget } from '../../../content/rich-text.ts'
import { Button } from '../../../ui/button.tsx'
import type { ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
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

const LinkSchema = z.object({ href: LinkTarget, text: z.nullable(z.string()) })

/** The address and the text of a link. */
export function LinkDialog({ link, onSave, onRemove, onClose, returnTo }: LinkDialogProps) {
  const isNew = link.href === ''
  const form = useForm({
    start: { href: link.href, text: link.text },
    schema: LinkSchema,
    toInput: ({ href, text }) => ({ href: href.trim(), text }),
    save: ({ href, text }) => onSave(href, text === '' ? href : text),
  })
  const text = form.at('text')
  return (
    <FormDialog
      {...form.dialog}
      title={isNew ? 'Add a link' : 'Change the link'}
      action={isNew ? 'Add link' : 'Save'}
      otherActions={
        !isNew && (
          <Button kind="danger-quiet" onClick={onRemove}>
            Remove link
          </Button>
        )
      }
      onClose={onClose}
      returnTo={returnTo}
    >
      <TextField
        {...form.at('href')}
        label="Address"
        hint="A page of the list, https://…, mailto:… or tel:…"
        inputMode="url"
        list={PAGES_LIST}
        autoComplete="off"
        autoCapitalize="none"
      />
      {text.value !== null && <TextField {...text} label="Text" autoComplete="off" value={text.value} />}
    </FormDialog>
  )
}
