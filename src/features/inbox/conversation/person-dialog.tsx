import { useId, useState } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { Button, InnerLink } from '../../../ui/button.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog/dialog.tsx'
import { useCall } from '../../../ui/use-call.ts'
import { MAX_SAME_PERSON, messages, type OpenMessage } from '../contract.ts'
import { mergeTimeline } from '../history/thread.tsx'
import { ThreadEntry } from '../history/thread-entry.tsx'
import { isolateBidi, statusLabels, toAsciiEmail } from '../list/format.ts'
import { useOfficeTime } from '../queries.ts'
import type { Entry } from './contract.ts'
import { SentEnquiry } from './enquiry.tsx'

/** Enquiries that are read at once. */
const FEW = 5

interface PersonDialogProps {
  readonly open: OpenMessage
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

/** Everything that came from the address of an open message: its enquiries, the newest first, each with its emails. */
export function PersonDialog({ open, onOpen, onClose }: PersonDialogProps) {
  const { message, samePerson } = open
  const [count, setCount] = useState(FEW)
  const own = [message, ...samePerson.filter(({ isSameAddress }) => isSameAddress)].toSorted((one, other) =>
    other.createdAt.localeCompare(one.createdAt),
  )
  const hasAll = own.length <= MAX_SAME_PERSON
  const search = new URLSearchParams({ status: 'all', q: message.email })
  return (
    <Dialog
      title={`Everything from ${isolateBidi(message.name)}`}
      onClose={onClose}
      actions={<CancelButton label="Close" />}
    >
      <div className="inbox-person-page">
        {own.slice(0, count).map(enquiry => (
          <Written
            key={enquiry.id}
            enquiry={enquiry}
            onOpen={() => {
              onClose()
              onOpen(enquiry.id)
            }}
          />
        ))}
        {own.length > count && (
          <Button onClick={() => setCount(count + FEW)}>Show {own.length - count} more</Button>
        )}
        {!hasAll && (
          <p className="small">
            There may be older ones: <a href={`/messages?${search}`}>search for this address</a>.
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface WrittenProps {
  readonly enquiry: Pick<OpenMessage['message'], 'id' | 'reference' | 'formType' | 'status'>
  readonly onOpen: () => void
}

/** What was written in one enquiry, without what staff wrote and did. */
function Written({ enquiry: { id, reference, formType, status }, onOpen }: WrittenProps) {
  const heading = useId()
  const { data, error, refetch } = useCall(messages.read, { id })
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>
        <InnerLink href={`?message=${id}`} onFollow={onOpen}>
          {reference}
        </InnerLink>{' '}
        <span className="quiet small">
          {messageTypeLabels[formType]} · {statusLabels[status]}
        </span>
      </h3>
      {data ? (
        <Words open={data} />
      ) : error ? (
        <p role="alert">
          This enquiry could not be read.{' '}
          <Button kind="link" onClick={() => refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <div className="skeleton" role="status" aria-label="Loading" />
      )}
    </section>
  )
}

function Words({ open: { message, entries, merged, mail, earlier } }: { readonly open: OpenMessage }) {
  const formatTime = useOfficeTime()
  const visitor = { name: message.name, address: toAsciiEmail(message.email), hasSeveral: false }
  return (
    <div className="inbox-thread">
      {earlier !== null && <p className="quiet small">Its older emails are in the conversation.</p>}
      {mergeTimeline({ message, entries, notes: [], merged }).map(item => {
        if (item.kind === 'enquiry')
          return <SentEnquiry key={item.id} sent={message} message={message} mail={mail} place={null} />
        if (item.kind === 'merged')
          return (
            item.merged.isSameAddress && (
              <SentEnquiry
                key={item.id}
                sent={{ ...item.merged, message: item.entry.body }}
                mail={item.entry}
                message={message}
                place={null}
              />
            )
          )
        if (item.kind !== 'entry' || !isFrom(message, item.entry)) return null
        // Where it was merged stands in the conversation.
        const { origin: _, ...entry } = item.entry
        return <ThreadEntry key={item.id} {...{ message, visitor, formatTime }} entry={entry} />
      })}
    </div>
  )
}

/** Others write into a conversation too, and so do machines. */
const isFrom = ({ email }: OpenMessage['message'], { kind, from, automatic }: Entry) =>
  kind === 'inbound' && !automatic && (from?.address ?? email).toLowerCase() === email.toLowerCase()
