import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import type { OpenMessage } from '../contract.ts'
import { conversation } from '../conversation/contract.ts'
import { DraftConflict, DraftLine } from '../drafts/draft-line.tsx'
import { useDraft } from '../drafts/drafts.ts'
import { firstName } from '../list/format.ts'
import { describeUnknown, findMentions } from '../notices/mentions.ts'
import { refreshMessage, useOptions } from '../queries.ts'
import { sendOnce } from '../replies/send-once.ts'
import { hasSentNothing } from '../replies/sending-key.ts'
import { Icon, Key } from '../toolbar/icon.tsx'
import { useMentionList } from './mention-list.tsx'
import { TextArea, useEarly, useStart } from './text-area.tsx'

export interface FormProps {
  readonly open: OpenMessage
  /** How often somebody has asked to write; 0 while a draft is shown again. */
  readonly asked: number
  /** Whether it was to be sent before this form was there. */
  readonly early: { current: boolean }
  readonly onDone: () => void
}

/** Writes a note, which only staff read. It looks like no reply, so that a hand cannot confuse them. */
export function NoteForm({ open, asked, early, onDone }: FormProps) {
  const { id, name } = open.message
  const client = useQueryClient()
  const { session, ...draft } = useDraft(id, 'note')
  const area = useRef<HTMLTextAreaElement>(null)
  useStart(area, asked)
  const add = useWrite<unknown>({
    async mutationFn() {
      await session.hold()
      const { body } = session.read()
      const sending = { id, kind: 'note', content: body } as const
      return await sendOnce(client, sending, withKey => call(conversation.addNote, { id, body }, withKey))
    },
    onSuccess() {
      // It is easily sent before the warning below its text is read.
      const description = staff && describeUnknown(findMentions(session.read().body, staff))
      if (description) showToast({ title: 'Note added', description })
      session.clear()
      onDone()
    },
    onError(error) {
      session.release(!hasSentNothing(error))
      showFailure(`The note about ${name} was not added`, error, 'Its text is in the draft.')
    },
    onSettled: () => refreshMessage(client, id),
  })
  const isBusy = draft.isHeld || add.isPending
  const send = () => {
    if (draft.body.trim() && !isBusy) add.mutate()
  }
  useEarly(early, send)
  const staff = useOptions()?.staff
  const names = useMentionList({ area, text: draft.body, onText: session.change })
  const warning = staff && describeUnknown(findMentions(names.settled, staff))

  return (
    <>
      <p className="line wrap small break inbox-composer-to">
        <Icon name="note" /> <strong>Staff only.</strong> {firstName(name)} never sees this. Write @ and a
        name to let a colleague know.
      </p>
      <DraftConflict session={session} {...draft} />
      {names.list}
      <TextArea
        {...names.attributes}
        label="Note to the team"
        area={area}
        value={draft.body}
        readOnly={draft.isHeld}
        onText={session.change}
        onSend={send}
      />
      <div role="status">{warning && <SaidOnPause warning={warning} />}</div>
      <div className="line wrap inbox-composer-foot">
        <DraftLine {...draft} />
        <Button className="inbox-add-note" isIdle={!draft.body.trim() || isBusy} onClick={send}>
          <Icon name="note" /> {isBusy ? 'Adding …' : 'Add note'}
          <Key name="Ctrl ↵" />
        </Button>
      </div>
    </>
  )
}

/** Milliseconds: longer than between two keys, so that no word is said to be nobody's name while it is being written. */
const PAUSE = 500

function SaidOnPause({ warning }: { readonly warning: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(setSaid, PAUSE, warning)
    return () => clearTimeout(timer)
  }, [warning])
  return said && <p className="small inbox-unknown-names">{said}</p>
}
