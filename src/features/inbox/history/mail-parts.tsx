import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button, InnerLink } from '../../../ui/button.tsx'
import { ShortTime } from '../../../ui/date-time.tsx'
import { describeBytes } from '../../../ui/describe-bytes.ts'
import { type Attachment, attachmentPath, mayPreview, previewPath } from '../attachments/contract.ts'
import type { Note } from '../conversation/contract.ts'
import { formattedPath, SANDBOX } from '../formatting/contract.ts'
import { firstName, isOurSubject, toAsciiEmail } from '../list/format.ts'
import { mailIn } from '../mail-in/contract.ts'
import { EntryText, type MailProps } from './entry-card.tsx'

/** Names that fit into the head of a mail. */
const MAX_NAMES = 3

/** From where it came, and to whom it went beside the agency. */
export function MailHead({ message, mail }: MailProps) {
  const { from, automatic } = mail
  const { isToUs, names } = recipientsOf(mail)
  const more = names.length - MAX_NAMES
  const shown = [
    ...(isToUs ? ['you'] : []),
    ...names.slice(0, MAX_NAMES),
    ...(more > 0 ? [`${more} more`] : []),
  ]
  const isOther = from?.name && !isSame(from.address, message.email)
  return (
    <>
      {isOther && <bdi>{toAsciiEmail(from.address)} </bdi>}
      by email
      {names.length > 0 && (
        <>
          , to <bdi>{new Intl.ListFormat('en-AU').format(shown)}</bdi>
        </>
      )}
      {automatic && <span className="tiny inbox-mail-mark">Automatic</span>}
    </>
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The part of an address by which an answer finds its conversation: who writes there writes to the agency. */
const OURS = /\+[a-z2-7]{16}@/i

/** Who else got it. To the agency alone it went to nobody else, whatever its address is. */
function recipientsOf({ recipients }: MailProps['mail']) {
  const all = [...(recipients?.to ?? []), ...(recipients?.cc ?? [])]
  const others = all.filter(({ address }) => !OURS.test(address))
  const isToUs = others.length < all.length
  const names = all.length > 1 ? others.map(({ name, address }) => name || toAsciiEmail(address)) : []
  return { isToUs, names }
}

/** A mail: its text, what it quotes, its files, and what staff should know of it. */
export function MailParts({ message, visitor, mail }: MailProps) {
  const { id, body, automatic, subject, quoted, attachments = [], hasOriginal, hasFormatting } = mail
  const [isFormatted, setFormatted] = useState(false)
  return (
    <>
      <MailNotices visitor={visitor} mail={mail} message={message} />
      {subject && !isOurSubject(subject, message.reference) && (
        <p className="quiet small break">
          Subject: <bdi>{subject}</bdi>
        </p>
      )}
      {automatic && body ? (
        <Folded label={firstLine(body)} text={body} />
      ) : (
        body && <EntryText>{body}</EntryText>
      )}
      {quoted && <Folded label={`Quoted, ${lineCount(quoted)}`} text={quoted} />}
      <Attachments id={message.id} attachments={attachments} />
      {(hasFormatting || hasOriginal) && (
        <p className="line wrap quiet small inbox-mail-foot">
          {hasFormatting && (
            <Button kind="link" aria-expanded={isFormatted} onClick={() => setFormatted(!isFormatted)}>
              {isFormatted ? 'Hide formatting' : 'Show formatting'}
            </Button>
          )}
          {hasOriginal && <OriginalLink id={message.id} entryId={id} />}
        </p>
      )}
      {isFormatted && (
        <>
          <iframe
            className="inbox-mail-frame"
            title={`Email from ${firstName(visitor.name)} with its formatting`}
            sandbox={SANDBOX}
            referrerPolicy="no-referrer"
            src={formattedPath(message.id, id)}
          />
          <p className="quiet tiny">
            Nothing is loaded from the internet, so that nobody learns that you read this: pictures may be
            missing.
          </p>
        </>
      )}
    </>
  )
}

function OriginalLink({ id, entryId }: { readonly id: string; readonly entryId: string }) {
  return (
    <a href={originalPath(id, entryId)} download>
      Download the original email
    </a>
  )
}

/** What came with a note by mail. @param id of the message */
export function NoteFiles({ id, note }: { readonly id: string; readonly note: Note }) {
  return (
    <>
      <Attachments id={id} attachments={note.attachments ?? []} />
      {note.hasOriginal && (
        <p className="quiet small">
          <OriginalLink id={id} entryId={note.id} />
        </p>
      )}
    </>
  )
}

const warnings = {
  program: 'This is a program. Do not open it unless you know why it was sent.',
  page: 'This is a web page, which can run scripts. Do not open it unless you know why it was sent.',
  script: 'This document has a script in it. Open it only where scripts are switched off.',
  disguised: 'This is not what its name says. Do not open it unless you know why it was sent.',
} as const satisfies Record<NonNullable<Attachment['warning']>, string>

const places = {
  original: 'in the original email',
  gone: 'not kept',
  locked: 'locked by the scanner',
} as const

interface AttachmentsProps {
  /** Of the message. */
  readonly id: string
  readonly attachments: readonly Attachment[]
}

/** The files that came with a mail or went out with a reply, to be downloaded. */
export function Attachments({ id, attachments }: AttachmentsProps) {
  if (attachments.length === 0) return null
  return (
    <>
      <ul className="small inbox-mail-files" aria-label="Attachments">
        {attachments.map(file => (
          <li key={file.id} className="break">
            {file.state === 'kept' ? (
              <a href={attachmentPath(id, file.id)} download>
                <bdi>{file.name}</bdi>
              </a>
            ) : (
              <bdi>{file.name}</bdi>
            )}{' '}
            <span className="quiet">
              {describeBytes(file.size)}
              {file.state !== 'kept' && `, ${places[file.state]}`}
            </span>
            {file.warning === null && mayPreview(file) && <Preview id={id} file={file} />}
            {file.warning && <p className="warning inbox-mail-notice">{warnings[file.warning]}</p>}
            {file.state === 'locked' && (
              <p className="warning inbox-mail-notice">
                The scanner found {file.found}. Nobody can download it.
              </p>
            )}
          </li>
        ))}
      </ul>
      {attachments.some(({ state }) => state === 'kept') && (
        <p className="quiet tiny">{describeScan(attachments)}</p>
      )}
    </>
  )
}

/** Of what can be downloaded. */
function describeScan(attachments: readonly Attachment[]): ReactNode {
  const kept = attachments.filter(({ state }) => state === 'kept')
  const times = kept.flatMap(({ scannedAt }) => scannedAt ?? []).toSorted()
  const last = times.at(-1)
  if (last === undefined || times.length < kept.length) return 'Not scanned for viruses'
  return (
    <>
      Scanned <ShortTime iso={last} />
    </>
  )
}

/** A picture is fetched once somebody wants to see it. */
function Preview({ id, file }: { readonly id: string; readonly file: Attachment }) {
  const [state, setState] = useState<'folded' | 'shown' | 'failed'>('folded')
  if (state === 'failed') return <p className="quiet">This cannot be looked at here. Download it.</p>
  const isShown = state === 'shown'
  return (
    <>
      {' '}
      <Button kind="link" aria-expanded={isShown} onClick={() => setState(isShown ? 'folded' : 'shown')}>
        {isShown ? 'Hide preview' : 'Preview'}
        <span className="visually-hidden"> of {file.name}</span>
      </Button>
      {isShown && (
        <img
          className="inbox-preview"
          src={previewPath(id, file.id)}
          alt={file.name}
          onError={() => setState('failed')}
        />
      )}
    </>
  )
}

function MailNotices({ visitor, mail }: MailProps) {
  const { sender, mayBelongTo, problem } = mail
  return (
    <>
      {sender === 'stranger' && (
        <p className="warning small inbox-mail-notice">
          Not from <bdi>{visitor.name}</bdi>: nobody is answered there by itself.
        </p>
      )}
      {mayBelongTo && (
        <p className="warning small inbox-mail-notice">
          May belong to <OtherConversation {...mayBelongTo} />, in which its sender has no part.
        </p>
      )}
      {problem && <p className="warning small break inbox-mail-notice">{problem}</p>}
    </>
  )
}

/** In place of this one, and Back leads here again. */
function OtherConversation({ id, reference }: NonNullable<MailProps['mail']['mayBelongTo']>) {
  const [, setParams] = useSearchParams()
  return (
    <InnerLink
      href={`?message=${id}`}
      onFollow={() =>
        setParams(params => {
          params.set('message', id)
          return params
        })
      }
    >
      {reference}
    </InnerLink>
  )
}

/** Nothing is folded on paper. */
function Folded({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <details className="inbox-mail-folded">
      <summary className="quiet small clip">
        <span className="inbox-mail-mark" aria-hidden="true">
          …
        </span>{' '}
        <bdi>{label}</bdi>
      </summary>
      <EntryText>{text}</EntryText>
    </details>
  )
}

const firstLine = (text: string) => text.trim().split('\n', 1)[0] ?? ''

function lineCount(text: string): string {
  const count = text.trim().split('\n').length
  return count === 1 ? '1 line' : `${count} lines`
}

const originalPath = (id: string, entryId: string) =>
  mailIn.original.path.replace(':id', id).replace(':entryId', entryId)
