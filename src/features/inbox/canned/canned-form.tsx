import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { call } from '../../../ui/client.ts'
import { CancelButton, Dialog } from '../../../ui/dialog/dialog.tsx'
import { AreaField, TextField } from '../../../ui/form/field.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import { MAX_TEXT } from '../conversation/contract.ts'
import {
  type CannedReply,
  type CannedReplyChange,
  CannedReply as CannedReplySchema,
  cannedReplies,
  describeUnknown,
  fillPlaceholders,
  MAX_CANNED_TITLE,
  type NewCannedReply,
  placeholders,
  unknownPlaceholders,
} from './contract.ts'
import { cannedQuery } from './queries.ts'

interface CannedFormProps {
  /** The one to change; without it, a new one is written. */
  readonly reply?: CannedReply
  readonly agent: string | null
  readonly agency: string
  readonly onClose: () => void
}

/** A visitor as there are many, for the preview. */
const EXAMPLE = { name: 'Nadia Ito', reference: 'LF-7K3M-92QD', service: 'Family Migration' }

export function CannedForm({ reply, agent, agency, onClose }: CannedFormProps) {
  const [title, setTitle] = useState(reply?.title ?? '')
  const [body, setBody] = useState(reply?.body ?? '')
  const [isTried, setTried] = useState(false)
  const [theirs, setTheirs] = useState<CannedReply | null>(null)
  const save = useSaveCanned({ id: reply?.id, onSaved: onClose, onChanged: setTheirs })
  const errors = findErrors(title, body, isTried)
  const isChanged = theirs !== null && (title !== theirs.title || body !== theirs.body)

  function submit() {
    setTried(true)
    const { title: titleError, body: bodyError } = findErrors(title, body, true)
    if (!save.isPending && !titleError && !bodyError)
      save.mutate({ title, body, version: (theirs ?? reply)?.version })
  }

  return (
    <Dialog
      title={reply ? 'Edit a canned reply' : 'Add a canned reply'}
      onClose={onClose}
      isTyped={title !== (reply?.title ?? '') || body !== (reply?.body ?? '')}
      isBusy={save.isPending}
      actions={
        <>
          <CancelButton />
          <button
            type="button"
            className="button button-primary"
            aria-disabled={save.isPending}
            onClick={submit}
          >
            {save.isPending ? 'Saving …' : isChanged ? 'Save anyway' : 'Save'}
          </button>
        </>
      }
    >
      {isChanged && (
        <Theirs
          reply={theirs}
          onUse={() => {
            setTitle(theirs.title)
            setBody(theirs.body)
          }}
        />
      )}
      <TextField
        label="Title"
        hint="The label of its button."
        autoComplete="off"
        maxLength={MAX_CANNED_TITLE}
        value={title}
        error={errors.title}
        onValue={setTitle}
      />
      <AreaField
        label="Text"
        hint={HINT}
        rows={7}
        maxLength={MAX_TEXT}
        value={body}
        error={errors.body}
        onValue={setBody}
      />
      <h3>Preview</h3>
      <p className="break inbox-canned-preview" dir="auto">
        {fillPlaceholders(body, { ...EXAMPLE, agent, agency }) || 'Nothing written yet.'}
      </p>
    </Dialog>
  )
}

const HINT = `${placeholders.map(name => `{${name}}`).join(', ')} are filled in for each enquiry. {agent} is your registered agent; {service} becomes “your enquiry” where the visitor named none.`

/** What somebody else has saved since this form was opened. */
function Theirs({ reply, onUse }: { readonly reply: CannedReply; readonly onUse: () => void }) {
  return (
    <div className="warning small inbox-composer-notice" role="alert">
      <p>Somebody else has changed this canned reply to “{reply.title}”:</p>
      <p className="break inbox-text inbox-composer-quote" dir="auto">
        {reply.body}
      </p>
      <button type="button" className="button" onClick={onUse}>
        Use that text
      </button>
    </div>
  )
}

/** An unknown placeholder is an error at once, what is missing only when somebody saves. */
function findErrors(title: string, body: string, isTried: boolean) {
  const unknown = unknownPlaceholders(body)
  const missing = isTried && !body.trim() ? 'Write something' : undefined
  return {
    title: isTried && !title.trim() ? 'Write a title' : undefined,
    body: unknown.length > 0 ? describeUnknown(unknown) : missing,
  }
}

interface SaveOptions {
  /** The one to change; without it, one is added. */
  readonly id: string | undefined
  onSaved(): void
  /** Somebody else has changed it. */
  onChanged(theirs: CannedReply): void
}

export function useSaveCanned({ id, onSaved, onChanged }: SaveOptions) {
  const client = useQueryClient()
  return useWrite<unknown, NewCannedReply & Pick<CannedReplyChange, 'version'>>({
    mutationFn: ({ version, ...text }) =>
      id === undefined ? call(cannedReplies.add, text) : call(cannedReplies.change, { id, version, ...text }),
    onSuccess: onSaved,
    onError(error) {
      const theirs = theirsOf(error)
      if (theirs) onChanged(theirs)
      else showFailure('Canned Reply Not Saved', error, 'The server failed.')
    },
    onSettled: () => client.invalidateQueries({ queryKey: cannedQuery.queryKey }),
  })
}

const Changed = z.object({ cannedReply: CannedReplySchema })

function theirsOf(error: Error): CannedReply | undefined {
  if (!(error instanceof ApiError) || error.code !== 'canned_reply_changed') return undefined
  return Changed.safeParse(error.body).data?.cannedReply
}
