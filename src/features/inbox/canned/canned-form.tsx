import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { AreaField, TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { fieldsOf, useWrite } from '../../../ui/form/use-write.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import { MAX_TEXT } from '../conversation/contract.ts'
import {
  CannedReply,
  cannedReplies,
  describeUnknown,
  fillPlaceholders,
  MAX_CANNED_TITLE,
  type NewCannedReply,
  type PlaceholderValues,
  placeholders,
  unknownPlaceholders,
} from './contract.ts'
import { cannedQuery } from './queries.ts'

interface CannedFormProps extends Pick<PlaceholderValues, 'agent' | 'agency'> {
  /** The one to change; null for a new one. */
  readonly reply: CannedReply | null
  readonly onClose: () => void
}

/** A visitor as there are many, for the preview. */
const EXAMPLE = { name: 'Nadia Ito', reference: 'LF-7K3M-92QD', service: 'Family Migration' }

export function CannedForm({ reply, agent, agency, onClose }: CannedFormProps) {
  const client = useQueryClient()
  /** What somebody else has saved since this form was opened. */
  const [theirs, setTheirs] = useState<CannedReply>()
  const save = useWrite<unknown, NewCannedReply>({
    mutationFn: text => {
      const seen = theirs ?? reply
      if (!seen) return call(cannedReplies.add, text)
      return call(cannedReplies.change, { id: seen.id, version: seen.version, ...text })
    },
    onSuccess: onClose,
    onError(error) {
      const changed = fieldsOf(error, 'canned_reply_changed', Changed)
      if (changed) setTheirs(changed.cannedReply)
      else showFailure('Canned Reply Not Saved', error, 'The server failed.')
    },
    onSettled: () => client.invalidateQueries({ queryKey: cannedQuery.queryKey }),
  })
  const { values, set, at, dialog } = useForm({
    start: { title: reply?.title ?? '', body: reply?.body ?? '' },
    schema: cannedReplies.add.input,
    save: save.mutate,
    isBusy: save.isPending,
  })
  const isChanged = theirs && (values.title !== theirs.title || values.body !== theirs.body)

  return (
    <FormDialog
      {...dialog}
      title={reply ? 'Edit a canned reply' : 'Add a canned reply'}
      action={isChanged ? 'Save anyway' : 'Save'}
      onClose={onClose}
      before={
        isChanged && (
          <div className="warning small inbox-composer-notice" role="alert">
            <p>Somebody else has changed this canned reply to “{theirs.title}”:</p>
            <p className="break inbox-text inbox-composer-quote" dir="auto">
              {theirs.body}
            </p>
            <Button onClick={() => set({ title: theirs.title, body: theirs.body })}>Use that text</Button>
          </div>
        )
      }
      after={
        <>
          <h3>Preview</h3>
          <p className="break inbox-canned-preview" dir="auto">
            {fillPlaceholders(values.body, { ...EXAMPLE, agent, agency }) || 'Nothing written yet.'}
          </p>
        </>
      }
    >
      <TextField
        {...at('title')}
        label="Title"
        hint="The label of its button."
        autoComplete="off"
        maxLength={MAX_CANNED_TITLE}
      />
      <AreaField
        {...at('body')}
        label="Text"
        hint={HINT}
        rows={7}
        maxLength={MAX_TEXT}
        error={unknownIn(values.body) ?? (values.body.trim() ? undefined : at('body').error)}
      />
    </FormDialog>
  )
}

const HINT = `${placeholders.map(name => `{${name}}`).join(', ')} are filled in for each enquiry. {agent} is your registered agent; {service} becomes “your enquiry” where the visitor named none.`

/** An unknown placeholder is an error at once, what is missing only when somebody saves. */
function unknownIn(body: string): string | undefined {
  const unknown = unknownPlaceholders(body)
  return unknown.length > 0 ? describeUnknown(unknown) : undefined
}

const Changed = z.object({ cannedReply: CannedReply })
