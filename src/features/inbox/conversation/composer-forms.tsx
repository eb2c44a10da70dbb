import type { OpenMessage } from '../contract.ts'
import { CallForm } from './call-form.tsx'
import { CannedReplies } from './canned-replies.tsx'
import { ComposerTabs } from './composer-tabs.tsx'
import { firstName } from './first-name.ts'
import { NoteForm } from './note-form.tsx'
import { ReplyForm } from './reply-form.tsx'

export type ComposerKind = 'reply' | 'note' | 'call'

export interface ComposerFormsProps {
  readonly open: OpenMessage
  /** What is being written. */
  readonly kind: ComposerKind
  /** How often somebody has asked to write; 0 while a draft is shown again. */
  readonly asked: number
  /** Whether it was to be sent before this form was there. */
  readonly early: { current: boolean }
  readonly onKind: (kind: ComposerKind) => void
  /** What was being written is stored, or given up. */
  readonly onEnd: (kind: ComposerKind) => void
}

/** The form of a phone call, or two tabs that look different and have drafts of their own. */
export function ComposerForms({ open, kind, asked, early, onKind, onEnd }: ComposerFormsProps) {
  const { message } = open
  const form = { message, asked, early, onDone: () => onEnd(kind) }
  if (kind === 'call') return <CallForm {...form} />
  return (
    <ComposerTabs name={firstName(message.name)} current={kind} onChoose={onKind}>
      {kind === 'reply' ? (
        <ReplyForm
          {...form}
          open={open}
          insert={onInsert => <CannedReplies open={open} onInsert={onInsert} />}
        />
      ) : (
        <NoteForm {...form} />
      )}
    </ComposerTabs>
  )
}
