import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { Select } from '../../../ui/form/field.tsx'
import { inputText, keepInput, restoreInput } from '../../../ui/form/input-backup.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { callDirections, callOutcomes, conversation, MAX_CALL_MINUTES } from '../conversation/contract.ts'
import { outcomeLabels } from '../history/entry-words.ts'
import { firstName } from '../list/format.ts'
import { refreshMessage } from '../queries.ts'
import { sendOnce } from '../replies/send-once.ts'
import { forgetKey } from '../replies/sending-key.ts'
import { Icon } from '../toolbar/icon.tsx'
import type { FormProps } from './note-form.tsx'
import { TextArea, useStart } from './text-area.tsx'

/** Records a phone call: who rang, what came of it and what was said. Until that is stored, it is kept in this tab. */
export function CallForm({ open, asked, onDone }: FormProps) {
  const { id, name } = open.message
  const client = useQueryClient()
  const [input, setInput] = useState(() => keptCall(id) ?? BLANK)
  const area = useRef<HTMLTextAreaElement>(null)
  useStart(area, asked)
  const keep = (change: Partial<CallInput>) => {
    const changed = { ...input, ...change }
    setInput(changed)
    keepCall(client, id, changed)
  }
  const { body, direction, outcome } = input
  const minutes = input.minutes.trim()
  // Nothing is said in a call that reached nobody.
  const isReady =
    (body.trim() !== '' || outcome !== 'reached') &&
    /^\d{0,4}$/.test(minutes) &&
    Number(minutes) <= MAX_CALL_MINUTES
  const add = useWrite<unknown>({
    mutationFn: () =>
      sendOnce(client, { id, kind: 'call', content: input }, withKey =>
        call(
          conversation.addCall,
          { id, body, direction, outcome, ...(minutes && { minutes: Number(minutes) }) },
          withKey,
        ),
      ),
    onSuccess() {
      // In place of what was done before, which Z would undo.
      showToast({ title: 'Phone call added', description: 'It is part of the record and cannot be undone.' })
      if (forgetSentCall(id, input)) onDone()
    },
    onError: error => showFailure(`The phone call with ${name} was not added`, error, 'The server failed.'),
    onSettled: () => refreshMessage(client, id),
  })
  const send = () => {
    if (isReady && !add.isPending) add.mutate()
  }
  const cancel = () => {
    forgetKey({ id, kind: 'call' })
    onDone()
  }

  return (
    <div className="inbox-composer" data-kind="call">
      <div className="inbox-composer-panel">
        <p className="line wrap small break inbox-composer-to">
          <Icon name="call" /> <strong>Phone call with {firstName(name)}</strong> What was said, for the team.
        </p>
        <div className="inbox-call-facts">
          <label className="quiet small">
            Who called
            <Select
              options={{ in: `${firstName(name)} called`, out: 'We called' }}
              value={direction}
              onValue={direction => keep({ direction })}
              disabled={add.isPending}
            />
          </label>
          <label className="quiet small">
            Outcome
            <Select
              options={outcomeLabels}
              value={outcome}
              onValue={outcome => keep({ outcome })}
              disabled={add.isPending}
            />
          </label>
          <label className="quiet small">
            Minutes
            <input
              className="control"
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              value={input.minutes}
              readOnly={add.isPending}
              aria-invalid={/^\s*\d*\s*$/.test(input.minutes) ? undefined : true}
              onChange={event => keep({ minutes: event.target.value })}
            />
          </label>
        </div>
        <TextArea
          label="What was said"
          area={area}
          value={body}
          readOnly={add.isPending}
          onText={body => keep({ body })}
          onSend={send}
        />
        <div className="line wrap inbox-composer-foot">
          <p className="quiet small inbox-draft-line" />
          <Button kind="quiet" isIdle={add.isPending} onClick={cancel}>
            Cancel
          </Button>
          <Button isIdle={!isReady || add.isPending} onClick={send}>
            {add.isPending ? 'Adding …' : 'Add phone call'}
          </Button>
        </div>
      </div>
    </div>
  )
}

interface CallInput {
  readonly body: string
  readonly direction: (typeof callDirections)[number]
  readonly outcome: (typeof callOutcomes)[number]
  /** As typed. */
  readonly minutes: string
}

const BLANK: CallInput = { body: '', direction: 'out', outcome: 'reached', minutes: '' }

const keyOf = (id: string) => `call ${id}`

/** What was typed about a phone call and is kept in this tab. */
export function keptCall(id: string): CallInput | undefined {
  const kept = restoreInput(keyOf(id))
  const body = inputText(kept, 'body')
  if (body === undefined) return undefined
  return {
    body,
    direction: callDirections.find(it => it === kept.direction) ?? BLANK.direction,
    outcome: callOutcomes.find(it => it === kept.outcome) ?? BLANK.outcome,
    minutes: inputText(kept, 'minutes') ?? '',
  }
}

export function keepCall(client: QueryClient, id: string, input: CallInput) {
  forgetKey({ id, kind: 'call' })
  const isBlank = JSON.stringify(input) === JSON.stringify(BLANK)
  keepInput(client.getQueryData(meQuery.queryKey)?.id ?? '', keyOf(id), isBlank ? null : { ...input })
}

/** @returns whether nothing else was typed since `sent`, so that it is forgotten */
export function forgetSentCall(id: string, sent: CallInput): boolean {
  const kept = keptCall(id)
  const isSame = !kept || JSON.stringify(kept) === JSON.stringify(sent)
  if (isSame) keepInput('', keyOf(id), null)
  return isSame
}
