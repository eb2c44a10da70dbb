import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { firstName } from '../list/format.ts'
import { ReplyForm } from '../replies/reply-form.tsx'
import { Icon, Key } from '../toolbar/icon.tsx'
import { CallForm } from './call-form.tsx'
import { type FormProps, NoteForm } from './note-form.tsx'

export type ComposerKind = 'reply' | 'note' | 'call'

export interface ComposerFormsProps extends Omit<FormProps, 'onDone'> {
  readonly kind: ComposerKind
  readonly onKind: (kind: ComposerKind) => void
  /** What was being written is stored, or given up. */
  readonly onEnd: (kind: ComposerKind) => void
}

/** The form of a phone call, or two tabs that look different and have drafts of their own. */
export function ComposerForms({ open, kind, asked, early, onKind, onEnd }: ComposerFormsProps) {
  const form = { open, asked, early, onDone: () => onEnd(kind) }
  if (kind === 'call') return <CallForm {...form} />
  return (
    <ComposerTabs name={firstName(open.message.name)} current={kind} onChoose={onKind}>
      {kind === 'reply' ? <ReplyForm {...form} /> : <NoteForm {...form} />}
    </ComposerTabs>
  )
}

const kinds = ['reply', 'note'] as const
type Kind = (typeof kinds)[number]

interface ComposerTabsProps {
  /** Whom the reply is for. */
  readonly name: string
  readonly current: Kind
  readonly onChoose: (kind: Kind) => void
  readonly children: ReactNode
}

const keys = { reply: 'R', note: 'N' }

/** The tabs of the composer. A press on one leads into its text; with the arrow keys, the focus stays on the tabs. */
export function ComposerTabs({ name, current, onChoose, children }: ComposerTabsProps) {
  const id = useId()
  const labels = { reply: `Reply to ${name}`, note: 'Note to the team' }

  function chooseByKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const other = current === 'reply' ? 'note' : 'reply'
    onChoose(other)
    document.getElementById(id + other)?.focus()
  }

  return (
    <div className="inbox-composer" data-kind={current}>
      <div className="inbox-composer-tabs" role="tablist" aria-label="Write">
        {kinds.map(kind => (
          <button
            key={kind}
            type="button"
            role="tab"
            className="inbox-tab"
            data-kind={kind}
            id={id + kind}
            aria-selected={kind === current}
            aria-controls={kind === current ? `${id}panel` : undefined}
            tabIndex={kind === current ? 0 : -1}
            onClick={() => onChoose(kind)}
            onKeyDown={chooseByKey}
          >
            <Icon name={kind} />
            <span className="clip">{labels[kind]}</span>
            <Key name={keys[kind]} />
          </button>
        ))}
      </div>
      <div
        key={current}
        className="inbox-composer-panel"
        id={`${id}panel`}
        role="tabpanel"
        aria-labelledby={id + current}
      >
        {children}
      </div>
    </div>
  )
}
