import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { scheduledOf, useDraft } from '../drafts/drafts.ts'
import { firstName } from '../list/format.ts'
import { Icon, Key } from '../toolbar/icon.tsx'
import type { ComposerFormsProps } from './composer-forms.tsx'
import { TextArea, useStart } from './text-area.tsx'

interface ComposerProps extends Omit<ComposerFormsProps, 'kind' | 'early'> {
  /** What is being written; null while the composer is folded. */
  readonly kind: ComposerFormsProps['kind'] | null
}

/** Loaded while somebody reads. */
const forms = lazyPart(async () => (await import('./composer-forms.tsx')).ComposerForms)
export const preloadForms = forms.preload

/** Where staff answer the visitor or write for each other. */
export function Composer({ kind, ...props }: ComposerProps) {
  const { id } = props.open.message
  const early = useRef(false)
  useEffect(preloadForms, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was to be sent is not what is written now
  useEffect(() => {
    early.current = false
  }, [id, kind])
  if (kind === null) return <Folded {...props} />
  return (
    <Suspense
      fallback={kind !== 'call' && <EarlyText key={id + kind} kind={kind} early={early} {...props} />}
    >
      <forms.Part kind={kind} early={early} {...props} />
    </Suspense>
  )
}

interface EarlyTextProps extends Omit<ComposerFormsProps, 'kind'> {
  readonly kind: 'reply' | 'note'
}

/**
 * Takes what is typed into the draft while the form loads, so that no character is taken for a key of the screen. The form
 * sends what was to be sent here.
 */
function EarlyText({ open, asked, kind, early }: EarlyTextProps) {
  const { session, body, isHeld } = useDraft(open.message.id, kind)
  const [isSending, setSending] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const userId = useQuery(meQuery).data?.id
  const isScheduled = kind === 'reply' && scheduledOf(open, userId) !== undefined
  useStart(area, asked)
  return (
    <TextArea
      label={kind === 'note' ? 'Note to the team' : `Reply to ${firstName(open.message.name)}`}
      area={area}
      value={body}
      readOnly={isHeld || isSending || isScheduled}
      onText={session.change}
      onSend={() => {
        if (!body.trim()) return
        early.current = true
        setSending(true)
      }}
    />
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
    <div className="line beyond-phone inbox-folded" ref={place}>
      <Button kind="primary" onClick={() => onKind('reply')}>
        <Icon name="reply" /> Reply
        <Key name="R" />
      </Button>
      <Button className="inbox-note-button" onClick={() => onKind('note')}>
        <Icon name="note" /> Note
        <Key name="N" />
      </Button>
    </div>
  )
}
