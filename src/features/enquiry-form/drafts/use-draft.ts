import { type RefObject, useEffect, useRef, useState } from 'react'
import { readFields, writeFields } from '../field-values.ts'
import type { FieldValues, FormState } from '../form-texts.ts'
import { DRAFT, dropDraft } from './drop-draft.ts'

/**
 * The draft of the form that `form` points to. Restores an earlier draft when the page opens, and saves what is typed from then on.
 * @param isComplete whether the form has the fields of every kind by now
 */
export function useDraft(
  form: RefObject<HTMLFormElement | null>,
  initial: FormState,
  setType: (type: string) => void,
  types: readonly string[],
  isComplete: boolean,
) {
  // `removed` is the visitor's choice: no new draft is saved while this page is open.
  const [state, setState] = useState<'none' | 'kept' | 'removed'>('none')
  const sent = useRef<Sent | undefined>(undefined)
  // A page with a message shows what was sent and has to be corrected. Other values come from a link.
  const isCorrection = initial.values?.message !== undefined

  function keep(type: string) {
    const values = form.current && readFields(form.current)
    if (!values || state === 'removed') return
    const hasContent = Object.entries(values).some(
      ([name, value]) => name !== 'service' && value && (isCorrection || value !== initial.values?.[name]),
    )
    if (!hasContent) return drop()
    setState(saveDraft({ type, values, sent: sent.current, at: Date.now() }) ? 'kept' : 'none')
  }

  /** Because the form was sent or emptied. */
  function drop() {
    sent.current = undefined
    dropDraft()
    setState(before => (before === 'removed' ? before : 'none'))
  }

  /** The idempotency key of this content: the same for the same content, also after a crash. */
  function keyOf(type: string, values: FieldValues): string {
    const content = JSON.stringify([type, values])
    if (sent.current?.content !== content) sent.current = { content, key: newKey() }
    keep(type)
    return sent.current.key
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is restored once, when the page opens
  useEffect(() => {
    if (!isComplete) return
    const draft = readDraft()
    const type = isCorrection ? initial.formType : (typeInUrl(types) ?? draft?.type ?? initial.formType)
    if (draft && form.current) {
      sent.current = draft.sent
      // The page's own values win, and so does what was typed before this script ran.
      writeFields(form.current, (name, current) => current || (initial.values?.[name] ?? draft.values[name]))
    }
    setType(type)
    // Also saves what was typed before this script ran.
    keep(type)
  }, [isComplete])

  return {
    state,
    keep,
    keyOf,
    drop,
    /** At the visitor's request. */
    remove() {
      dropDraft()
      setState('removed')
    },
  }
}

export type DraftOfForm = ReturnType<typeof useDraft>

/** The server reads it for the contact page only, but each page with the form may have it. */
function typeInUrl(types: readonly string[]): string | undefined {
  const requested = new URLSearchParams(location.search).get('form')
  return types.find(type => type === requested)
}

/** `crypto.randomUUID` does not exist on plain http. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

/** What is kept on the visitor's device until the enquiry is sent. Never the bot-check token. */
export interface Draft {
  readonly type: string
  readonly values: FieldValues
  /** The last content that was sent and its idempotency key: sent again after a crash, it is not stored twice. */
  readonly sent?: Sent | undefined
  /** When it was saved; milliseconds since 1970. */
  readonly at: number
}

interface Sent {
  readonly content: string
  readonly key: string
}

/** Milliseconds, a week: devices are shared, and an older question has most likely been asked another way. */
const DRAFT_LIFETIME = 7 * 24 * 60 * 60 * 1000

/** Never throws: a browser may deny access to storage, and the stored value may be anything. */
function readDraft(): Draft | null {
  try {
    const draft: Draft = JSON.parse(localStorage.getItem(DRAFT) ?? 'null')
    return typeof draft.values.message === 'string' && Date.now() - draft.at < DRAFT_LIFETIME ? draft : null
  } catch {
    return null
  }
}

/** @returns whether it was saved; a browser may deny access to storage. */
function saveDraft(draft: Draft): boolean {
  try {
    localStorage.setItem(DRAFT, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}
