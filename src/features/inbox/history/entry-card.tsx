import type { ReactNode } from 'react'
import { InnerLink } from '../../../ui/button.tsx'
import { ShortTime } from '../../../ui/date-time.tsx'
import type { Message } from '../contract.ts'
import type { Entry } from '../conversation/contract.ts'
import { useTextAttributes } from '../language/language.tsx'
import type { InboundMail } from '../mail-in/contract.ts'
import { Icon, type IconName } from '../toolbar/icon.tsx'

/** Whose words an entry has, or to whom it went. */
export interface Visitor {
  readonly name: string
  readonly address: string
  /** Whether the conversation is, or was, with more than one address. */
  readonly hasSeveral: boolean
}

export interface EntryProps {
  readonly message: Message
  readonly visitor: Visitor
  readonly entry: Entry
  readonly formatTime: (iso: string) => string
}

export interface MailProps extends Pick<EntryProps, 'message' | 'visitor'> {
  /** With its text. */
  readonly mail: Pick<Entry, 'id' | 'body' | keyof InboundMail>
}

interface EntryCardProps extends Pick<Entry, 'body' | 'createdAt' | 'origin'> {
  /** What leads here finds it by this. */
  readonly place?: string
  readonly kind: 'enquiry' | 'reply' | 'inbound' | 'automatic' | 'call' | 'note'
  readonly icon?: IconName
  readonly name: string
  readonly says: ReactNode
  /** What came of a phone call. */
  readonly chip?: string
  /** In place of the time at which it was said. */
  readonly time?: ReactNode
  readonly children?: ReactNode
}

/** What somebody has said. */
export function EntryCard({ place, kind, icon, name, says, chip, origin, body, ...props }: EntryCardProps) {
  const { createdAt, time = <ShortTime iso={createdAt} />, children } = props
  return (
    <article
      id={place}
      tabIndex={place ? -1 : undefined}
      className="inbox-entry"
      data-kind={kind}
      data-merged={origin && ''}
    >
      <header className="line wrap small inbox-entry-head">
        {icon && <Icon name={icon} />}
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span>{says}</span>
        {chip && <span className="tiny inbox-call-outcome">{chip}</span>}
        {origin && (
          <span>
            in <MergedReference {...origin} />
          </span>
        )}
        <span>{time}</span>
      </header>
      {body && <EntryText>{body}</EntryText>}
      {children}
    </article>
  )
}

/** As it was written, in its own language and direction. */
export function EntryText({ children }: { readonly children: string }) {
  return (
    <p className="break inbox-text" {...useTextAttributes(children)}>
      {children}
    </p>
  )
}

/** Where the enquiry of a message stands in the conversation. */
export const placeOf = (id: string) => `enquiry-${id}`

/** The reference of what is merged into the open message: it leads to its enquiry, and in another window to the conversation. */
export function MergedReference({ id, reference }: NonNullable<Entry['origin']>) {
  return (
    <InnerLink
      href={`?message=${id}`}
      onFollow={link => {
        // In a very long conversation it may not be read yet: it is, once somebody sees the beginning.
        const place = document.getElementById(placeOf(id)) ?? link.closest('.inbox-thread')
        if (place instanceof HTMLElement) place.focus({ preventScroll: true })
        place?.scrollIntoView({ block: 'start' })
      }}
    >
      {reference}
    </InnerLink>
  )
}
