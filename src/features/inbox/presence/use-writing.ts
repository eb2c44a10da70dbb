import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSaveOnLeaving } from '../../../ui/autosave/use-autosave.ts'
import type { ComposerKind } from '../composer/composer-forms.tsx'
import { draftSession, saveAllDrafts } from '../drafts/drafts.ts'

interface Writing {
  /** Of the message. */
  readonly id: string
  readonly kind: ComposerKind | null
  /** How often somebody has asked to write; 0 while only a draft is shown again. */
  readonly asked: number
}

/** A reply that somebody wants to begin. */
export interface ReplyTo {
  /** Of the message; null once it has begun. */
  readonly id: string | null
  readonly onBegun: () => void
}

/** What is being written about the message on the screen. At first that is its draft, if there is one. */
export function useWriting(id: string, replyTo: ReplyTo) {
  const client = useQueryClient()
  const [last, setLast] = useState<Writing | null>(null)
  useSaveOnLeaving(saveAllDrafts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another message is shown, and when the inbox is left
  useEffect(() => saveAllDrafts, [id])
  const hasDraft = (kind: 'reply' | 'note') => draftSession(client, id, kind).read().body !== ''
  const drafted = hasDraft('reply') ? 'reply' : hasDraft('note') ? 'note' : null
  const { kind, asked }: Writing = last?.id === id ? last : { id, kind: drafted, asked: 0 }
  const shown = useRef({ id, kind })
  useEffect(() => {
    shown.current = { id, kind }
  })
  /** What comes late, when another message is on the screen, changes nothing there. @param to null folds the composer */
  const write = (to: ComposerKind | null) => {
    if (shown.current.id === id) setLast({ id, kind: to, asked: asked + 1 })
  }
  /** Folds the composer of what is done, unless something else is being written by now. */
  const end = (done: ComposerKind) => {
    if (shown.current.kind === done) write(null)
  }
  useEffect(() => {
    if (replyTo.id !== id) return
    write('reply')
    replyTo.onBegun()
  })
  return { kind, asked, write, end } as const
}
