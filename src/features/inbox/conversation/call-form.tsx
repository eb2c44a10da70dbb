import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../ui/client.ts'
import { showFailure } from '../../../ui/toast.ts'
import { useWrite } from '../../../ui/use-write.ts'
import { conversation } from '../conversation-contract.ts'
import { forgetSentCall, keepCall, keptCall } from './call-text.ts'
import { firstName } from './first-name.ts'
import { Icon } from './icon.tsx'
import type { FormProps } from './note-form.tsx'
import { refreshMessage } from './refresh.ts'
import { sendOnce } from './send-once.ts'
import { forgetKey } from './sending-key.ts'
import { TextArea, useStart } from './text-area.tsx'

/** Records what was said on the phone. Until that is stored, its text is kept in this tab. */
export function CallForm({ message, asked, onDone }: FormProps) {
  const { id, name } = message
  const client = useQueryClient()
  const [body, setBody] = useState(() => keptCall(id) ?? '')
  const area = useRef<HTMLTextAreaElement>(null)
  useStart(area, asked)
  const keep = (text: string) => {
    setBody(text)
    keepCall(client, id, text)
  }
  const add = useWrite<unknown>({
    mutationFn: () =>
      sendOnce(client, { id, kind: 'call', content: body }, withKey =>
        call(conversation.addCall, { id, body }, withKey),
      ),
    onSuccess() {
      if (forgetSentCall(id, body)) onDone()
    },
    onError: error => showFailure(`The phone call with ${name} was not added`, error, 'The server failed.'),
    onSettled: () => refreshMessage(client, id),
  })
  const send = () => {
    if (body.trim() && !add.isPending) add.mutate()
  }
  const cancel = () => {
    if (add.isPending) return
    forgetKey({ id, kind: 'call' })
    onDone()
  }

  return (
    <div className="inbox-composer" data-kind="call">
      <div className="inbox-composer-panel">
        <p className="inbox-composer-to">
          <Icon name="call" /> <strong>Phone call with {firstName(name)}</strong> What was said, for the team.
        </p>
        <TextArea
          label="What was said"
          area={area}
          value={body}
          readOnly={add.isPending}
          onText={keep}
          onSend={send}
        />
        <div className="inbox-composer-foot">
          <p className="inbox-draft-line" />
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={add.isPending}
            onClick={cancel}
          >
            Cancel
          </button>
          <button
            type="button"
            className="button"
            aria-disabled={!body.trim() || add.isPending}
            onClick={send}
          >
            {add.isPending ? 'Adding …' : 'Add phone call'}
          </button>
        </div>
      </div>
    </div>
  )
}
