import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Select, TextField } from '../../../ui/form/field.tsx'
import { useFileDrop } from '../../../ui/form/file-drop.ts'
import { lazily } from '../../../ui/lazy-part.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { AttachMenu, FilePills, pastedFiles, useDraftFiles } from '../attachments/reply-files.tsx'
import { CannedReplies } from '../canned/canned-replies.tsx'
import type { FormProps } from '../composer/note-form.tsx'
import { insertAtCaret, TextArea, useEarly, useStart } from '../composer/text-area.tsx'
import type { OpenMessage } from '../contract.ts'
import { CONSUMER_GUIDE_SENT, type Entry } from '../conversation/contract.ts'
import { DraftConflict, DraftLine } from '../drafts/draft-line.tsx'
import { useDraft } from '../drafts/drafts.ts'
import { firstName, toAsciiEmail } from '../list/format.ts'
import { Key } from '../toolbar/icon.tsx'
import { NewerEntries } from './newer-entries.tsx'
import {
  addressError,
  type Outgoing,
  outgoing,
  readAddresses,
  type StatusAfter,
  scheduleReply,
  sendReply,
  useOutgoing,
} from './outgoing.ts'
import { SendLater, useOwnScheduled } from './scheduled.tsx'

const CorrectAddress = lazily(async () => (await import('./correct-address.tsx')).CorrectAddress)

/** Loaded where something is merged. */
const NoRecipients = lazily(async () => (await import('../merging/merged.tsx')).NoRecipients)

/** Writes a reply to the visitor. What somebody else has said meanwhile is shown before it can be sent. */
export function ReplyForm({ open, asked, early, onDone }: FormProps) {
  const { message } = open
  const { id, name } = message
  const client = useQueryClient()
  const { session, ...draft } = useDraft(id, 'reply')
  const { cc, after, isSending, failure, newer } = useOutgoing(id)
  const area = useRef<HTMLTextAreaElement>(null)
  const files = useDraftFiles(open)
  const seen = useSeen(open, newer, draft.body !== '')
  const [isTried, setTried] = useState(false)
  const obstacle = isTried ? files.obstacle : null
  const isScheduled = useOwnScheduled(open) !== undefined
  const isReadOnly = isSending || isScheduled
  const ccError = isTried ? addressError(cc ?? '') : undefined
  const add: typeof files.add = chosen => !isReadOnly && files.add(chosen)
  useStart(area, asked)

  /** @param sendsAt now without it */
  async function send(sendsAt?: Date) {
    setTried(true)
    if (isReadOnly || addressError(cc ?? '') || files.obstacle) return
    const isShown = () => area.current !== null
    const sent = { id, name, lastSeq: seen.newest, attachments: files.ids, isShown }
    const sending = sendsAt ? scheduleReply(client, { ...sent, sendsAt }) : sendReply(client, sent)
    if (await sending) onDone()
  }
  useEarly(early, () => send())

  return (
    <div
      {...useFileDrop(add)}
      onPaste={event => {
        const pasted = pastedFiles(event.clipboardData)
        if (pasted.length === 0) return
        event.preventDefault()
        add(pasted)
      }}
    >
      <NewerEntries message={message} entries={seen.unseen} />
      <DraftConflict session={session} {...draft} />
      <Recipients open={open} cc={cc} error={ccError} isReadOnly={isReadOnly} />
      {open.merged && <NoRecipients id={id} merged={open.merged} />}
      <p className="line wrap small break inbox-composer-to">
        <span className="quiet small">Subject</span> Re: Your enquiry {message.reference}
      </p>
      <TextArea
        label={`Reply to ${firstName(name)}`}
        area={area}
        value={draft.body}
        readOnly={isReadOnly}
        onText={session.change}
        onSend={() => send()}
      />
      <FilePills id={id} files={files.files} isSending={isReadOnly} />
      {!isScheduled && (
        <div className="inbox-composer-insert">
          <CannedReplies open={open} onInsert={text => insertAtCaret(area, text, session.change)} />
        </div>
      )}
      {failure && failure.code !== 'newer_entries' && !isScheduled && <ReplyFailure {...failure} />}
      {obstacle && (
        <p className="warning small inbox-composer-notice" role="alert">
          {obstacle}
        </p>
      )}
      {isScheduled && draft.status !== 'saved' && <DraftLine {...draft} />}
      {!isScheduled && (
        <div className="line wrap inbox-composer-foot">
          <AttachMenu open={open} onFiles={files.add} />
          <DraftLine {...draft} />
          <label className="line inbox-then">
            <span className="quiet small">then</span>
            <Select
              aria-label="then, the status after sending"
              options={statusesAfter}
              value={after}
              onValue={after => outgoing(id).set({ after })}
            />
          </label>
          <Button kind="primary" aria-disabled={!draft.body.trim() || isSending} onClick={() => send()}>
            {isSending ? 'Sending …' : seen.unseen.length > 0 ? 'Send anyway' : 'Send reply'}
            <Key name="Ctrl ↵" />
          </Button>
          <SendLater isEmpty={!draft.body.trim()} onChoose={send} />
        </div>
      )}
    </div>
  )
}

/** What was said since somebody began to write, and the number of the last entry that is on the screen. */
function useSeen({ entries, lastSeq }: OpenMessage, newer: readonly Entry[], isWriting: boolean) {
  const [seen, setSeen] = useState(lastSeq)
  if (!isWriting && seen !== lastSeq) setSeen(lastSeq)
  const known = new Set(entries.map(entry => entry.id))
  const unseen = [...entries, ...newer.filter(entry => !known.has(entry.id))].filter(
    // That a colleague has sent the Consumer Guide makes no reply out of date.
    ({ kind, detail, seq, origin }) =>
      kind !== 'event' && detail !== CONSUMER_GUIDE_SENT && seq > seen && !origin,
  )
  return { unseen, newest: Math.max(lastSeq, ...unseen.map(({ seq }) => seq)) }
}

interface RecipientsProps extends Pick<Outgoing, 'cc'> {
  readonly open: OpenMessage
  /** What is wrong with the copies. */
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

/** Everybody who will get the reply. What did not reach an address the last time is said before it is sent. */
function Recipients({ open, cc, error, isReadOnly }: RecipientsProps) {
  const { id, name, email } = open.message
  const ownCc = useOwnScheduled(open)?.cc
  const setCc = (typed: string | null) => outgoing(id).set({ cc: typed })
  const typed = readAddresses(cc ?? '').filter(address => !addressError(address))
  const copies = ownCc ?? typed
  const failed = failedAddresses(open)
  return (
    <>
      <div className="line wrap small break inbox-composer-to">
        <span className="quiet small">Goes to</span>{' '}
        <Recipient
          address={email || 'no email address'}
          isFailed={email === '' || failed.has(email.toLowerCase())}
        >
          <bdi>{name}</bdi>
        </Recipient>
        {email === '' && <AddAddress message={open.message} />}
        {copies.map(address => (
          <Recipient key={address} address={address} isFailed={failed.has(address.toLowerCase())} isCopy>
            {!isReadOnly && (
              <Button
                kind="quiet"
                aria-label={`No copy to ${address}`}
                onClick={() => setCc(copies.filter(other => other !== address).join(', ') || null)}
              >
                ×
              </Button>
            )}
          </Recipient>
        ))}
        {!isReadOnly && (
          <Button kind="link" aria-expanded={cc !== null} onClick={() => setCc(cc === null ? '' : null)}>
            {cc === null ? 'Add Cc' : 'No Cc'}
          </Button>
        )}
      </div>
      {cc !== null && !isReadOnly && (
        <TextField
          label="Cc"
          hint="Email addresses, separated by commas"
          type="text"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          error={error}
          value={cc}
          onValue={setCc}
        />
      )}
    </>
  )
}

/** Of who has written without one, or with one that nobody can write to. */
function AddAddress({ message }: Pick<OpenMessage, 'message'>) {
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Button kind="link" onClick={() => setAdding(true)}>
        Add an address
      </Button>
      {isAdding && <CorrectAddress message={message} action="Save" onClose={() => setAdding(false)} />}
    </>
  )
}

interface RecipientProps {
  readonly address: string
  /** Whether the last reply did not get there. */
  readonly isFailed: boolean
  readonly isCopy?: boolean
  readonly children: ReactNode
}

function Recipient({ address, isFailed, isCopy = false, children }: RecipientProps) {
  const notes = [isCopy && 'Cc', isFailed && address.includes('@') && 'failed'].filter(Boolean).join(', ')
  return (
    <span className="line wrap break inbox-recipient" data-failed={isFailed ? '' : undefined}>
      {!isCopy && children} <strong>{toAsciiEmail(address)}</strong> {notes && <span>{notes}</span>}
      {isCopy && children}
    </span>
  )
}

/** The addresses that the last reply to them did not reach, in lower case. */
function failedAddresses({ message, entries }: OpenMessage): ReadonlySet<string> {
  const failed = new Set<string>()
  for (const { delivery, cc, lacking = [] } of entries) {
    if (delivery === 'sent')
      for (const address of [message.email, ...cc]) failed.delete(address.toLowerCase())
    for (const address of lacking) failed.add(address.toLowerCase())
  }
  return failed
}

const statusesAfter: Readonly<Record<StatusAfter, string>> = {
  waiting: 'Waiting',
  open: 'Open',
  closed: 'Closed',
}

function ReplyFailure({ message, code, isLater = false }: NonNullable<Outgoing['failure']>) {
  const what = isLater ? 'scheduled' : 'sent'
  const mayChange = useQuery(meQuery).data?.permissions.includes('settings') ?? false
  if (code !== 'no_mail')
    return (
      <p className="warning small inbox-composer-notice" role="alert">
        The reply was not {what}: {message} Your text is still here.
      </p>
    )
  return (
    <p className="warning small inbox-composer-notice" role="alert">
      The reply was not {what}, because no mail provider is set up. Your text is still here.{' '}
      {mayChange ? (
        <a href="/settings?tab=email">Set one up in the settings</a>
      ) : (
        'Please ask an admin to set one up.'
      )}
    </p>
  )
}
