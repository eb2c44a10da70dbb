import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { ShortTime } from '../../../ui/date-time.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { lazily } from '../../../ui/lazy-part.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import { messages } from '../contract.ts'
import { conversation } from '../conversation/contract.ts'
import type { EntryProps } from '../history/entry-card.tsx'
import { toAsciiEmail } from '../list/format.ts'
import { raiseVersion, refreshMessage } from '../queries.ts'

const CorrectAddress = lazily(async () => (await import('./correct-address.tsx')).CorrectAddress)

type DeliveryProps = Omit<EntryProps, 'formatTime'>

/** What became of a reply, by address: who got it, and who did not, with what to do about that. */
export function Delivery(props: DeliveryProps) {
  const { visitor, entry } = props
  const { delivery, cc, deliveredAt } = entry
  const all = [visitor.address, ...cc]
  const lacking = delivery === 'failed' ? (entry.lacking ?? all) : []
  const reached = delivery === 'waiting' ? [] : all.filter(address => !has(lacking, address))
  return (
    <div className="small break inbox-delivery">
      {delivery === 'waiting' && <p className="quiet">Not out yet: to {list(all)}</p>}
      {reached.length > 0 && (
        <p className="quiet">
          <span aria-hidden="true">✓ </span>Delivered to {list(reached)}
          {deliveredAt && (
            <>
              , <ShortTime iso={deliveredAt} />
            </>
          )}
        </p>
      )}
      {delivery === 'failed' && <Failed {...props} lacking={lacking} />}
    </div>
  )
}

const has = (addresses: readonly string[], address: string) =>
  addresses.some(one => one.toLowerCase() === address.toLowerCase())

const list = (addresses: readonly string[]) => addresses.map(toAsciiEmail).join(', ')

interface FailedProps extends DeliveryProps {
  readonly lacking: readonly string[]
}

/** Why a reply was not delivered, in plain words, and what sends it again. */
function Failed({ message, visitor, entry, lacking }: FailedProps) {
  const [isCorrecting, setCorrecting] = useState(false)
  const mayCall = useMayCall()
  const retry = useRetryReply(message.id, entry.id)
  const reason = explain(entry.deliveryError ?? '')
  const isToVisitor = has(lacking, visitor.address) && !entry.origin
  const isCorrected = isToVisitor && !has([message.email], visitor.address)
  return (
    <div role="alert">
      <p className="line wrap inbox-delivery-failed">
        <span>
          <span aria-hidden="true">⚠ </span>
          {lacking.length > 0 ? `Not delivered to ${list(lacking)}` : 'Not delivered'}
          {reason ? `: ${reason}.` : '.'}
        </span>
        {isToVisitor && !isCorrected && mayCall(messages.change) && (
          <Button kind="link" onClick={() => setCorrecting(true)}>
            Correct the address
          </Button>
        )}
        {mayCall(conversation.retryReply) && (
          <Button kind="link" isIdle={retry.isPending} onClick={() => retry.mutate()}>
            {retry.isPending ? 'Sending …' : 'Send again'}
          </Button>
        )}
      </p>
      {isCorrected && <p className="quiet">Sent again, it goes to {toAsciiEmail(message.email)}.</p>}
      {entry.deliveryError && (
        <p className="quiet">
          {reason && !entry.deliveryError.startsWith('It came back') ? 'The mail server said: ' : ''}
          <q>{entry.deliveryError}</q>
        </p>
      )}
      {isCorrecting && (
        <CorrectAddress
          message={message}
          action="Save and send again"
          onCorrected={() => retry.mutate()}
          onClose={() => setCorrecting(false)}
        />
      )}
    </div>
  )
}

function useRetryReply(id: string, replyId: string) {
  const client = useQueryClient()
  return useWrite({
    mutationFn: () => call(conversation.retryReply, { id, replyId }),
    onSuccess: ({ version }) => raiseVersion(client, id, version),
    onError: error => showFailure('The reply could not be sent again', error, 'The server failed.'),
    onSettled: () => refreshMessage(client, id),
  })
}

/** By what mail servers say, in RFC 3463 and in their own words. The first that fits is said. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/\b[45]\.2\.2\b|mailbox (?:is )?full|over ?quota|quota exceeded/i, 'the mailbox is full'],
  [/\b5\.3\.4\b|\b552\b|too (?:large|big)|size exceeds/i, 'it is too large for their mail server'],
  [
    /\b5\.1\.(?:2|10)\b|\b5\.4\.4\b|\bENOTFOUND\b|domain (?:not found|does not exist)|host (?:unknown|not found)/i,
    'nobody takes mail at that domain',
  ],
  [
    /\b5\.2\.1\b|(?:mailbox|account) (?:is )?(?:disabled|inactive|suspended)/i,
    'that mailbox is switched off',
  ],
  [
    /\b5\.1\.[0136]\b|no such|unknown (?:user|mailbox|address)|user unknown|does not exist|not found|invalid (?:mailbox|recipient)|hard-bounce|mailbox unavailable/i,
    'there is no such address',
  ],
  [/\b5\.7\.\d+|spam|blocked|blacklist|block ?list|policy/i, 'their mail server refuses mail from here'],
]

/** Empty when it is in plain words already, or about something else than the address. */
export function explain(error: string): string {
  // It may have arrived, and nothing is known of the address.
  if (/may have arrived|may have been sent/.test(error)) return ''
  return reasons.find(([pattern]) => pattern.test(error))?.[1] ?? ''
}
