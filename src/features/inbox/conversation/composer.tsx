import { type ReactNode, useEffect, useRef } from 'react'
import type { OpenMessage } from '../contract.ts'
import { CallForm } from './call-form.tsx'
import { ComposerTabs } from './composer-tabs.tsx'
import { firstName } from './first-name.ts'
import { Icon } from './icon.tsx'
import { Key } from './key.tsx'
import { NoteForm } from './note-form.tsx'
import { ReplyForm } from './reply-form.tsx'

export type ComposerKind = 'reply' | 'note' | 'call'

export interface ComposerProps {
  readonly open: OpenMessage
  /** What is being written; null while the composer is folded. */
  readonly kind: ComposerKind | null
  /** How often somebody has asked to write; 0 while a draft is shown again. */
  readonly asked: number
  readonly onKind: (kind: ComposerKind) => void
  /** What was being written is stored, or given up. */
  readonly onEnd: (kind: ComposerKind) => void
  /** A row above the send row of a reply, from which a text can be inserted where the caret is. */
  readonly insert?: ((onInsert: (text: string) => void) => ReactNode) | undefined
}

/** Where staff answer the visitor or write for each other: two tabs that look different and have drafts of their own. */
export function Composer({ open, kind, asked, onKind, onEnd, insert }: ComposerProps) {
  const { message } = open
  const name = firstName(message.name)
  if (kind === null) return <Folded asked={asked} onKind={onKind} />
  const form = { message, asked, onDone: () => onEnd(kind) }
  if (kind === 'call') return <CallForm {...form} />
  return (
    <ComposerTabs name={name} current={kind} onChoose={onKind}>
      {kind === 'reply' ? <ReplyForm {...form} open={open} insert={insert} /> : <NoteForm {...form} />}
    </ComposerTabs>
  )
}

/** One loud button, and the other one looks like what it opens. */
function Folded({ asked, onKind }: Pick<ComposerProps, 'asked' | 'onKind'>) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The text that had the focus is gone.
    if (asked === 0 || document.activeElement !== document.body) return
    place.current?.closest('dialog')?.querySelector('h2')?.focus({ preventScroll: true })
  }, [asked])
  return (
    <div className="inbox-folded" ref={place}>
      <button type="button" className="button button-primary" onClick={() => onKind('reply')}>
        <Icon name="reply" /> Reply
        <Key name="R" />
      </button>
      <button type="button" className="button inbox-note-button" onClick={() => onKind('note')}>
        <Icon name="note" /> Note
        <Key name="N" />
      </button>
    </div>
  )
}
