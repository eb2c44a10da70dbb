import { type RefObject, useEffect, useRef, useState } from 'react'
import { keepDraft, readDraft, type Sent } from './draft.ts'
import { dropDraft } from './drop-draft.ts'
import { readFields, writeFields } from './field-values.ts'
import { type FieldValues, type FormState, fieldNames } from './form-texts.ts'

/** The draft of the form that `form` points to. */
export interface DraftOfForm {
  /** `kept` on this device, or `removed` from it by the visitor, who then wants none for as long as the page lives. */
  readonly state: 'none' | 'kept' | 'removed'
  /** Keeps what the form holds now. */
  keep(type: string): void
  /** The key under which this content is sent: the same for the same content, also after a crash. */
  keyOf(type: string, values: FieldValues): string
  /** There is nothing left to keep. */
  drop(): void
  remove(): void
}

/** Brings an earlier draft back when the page opens, and keeps what is written from then on. */
export function useDraft(
  form: RefObject<HTMLFormElement | null>,
  given: FormState,
  setType: (type: string) => void,
  types: readonly string[],
): DraftOfForm {
  const [state, setState] = useState<DraftOfForm['state']>('none')
  const sent = useRef<Sent | undefined>(undefined)

  function keep(type: string) {
    const values = form.current && readFields(form.current)
    if (!values || state === 'removed') return
    const isWorthIt = fieldNames.some(name => name !== 'service' && values[name])
    if (!isWorthIt) return drop()
    setState(keepDraft({ type, values, sent: sent.current, at: Date.now() }) ? 'kept' : 'none')
  }

  function drop() {
    sent.current = undefined
    dropDraft()
    setState(before => (before === 'removed' ? before : 'none'))
  }

  function keyOf(type: string, values: FieldValues): string {
    const content = JSON.stringify([type, values])
    if (sent.current?.content !== content) sent.current = { content, key: newKey() }
    keep(type)
    return sent.current.key
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft comes back once, when the page opens
  useEffect(() => {
    const draft = readDraft()
    // With a message of its own, the page shows what was sent and is to be corrected.
    const isCorrection = given.values?.message !== undefined
    const type = isCorrection ? given.formType : (typeInAddress(types) ?? draft?.type ?? given.formType)
    if (draft && form.current) {
      sent.current = draft.sent
      // What the page gives wins, and so does what was written before this script ran.
      writeFields(form.current, (name, current) => current || (given.values?.[name] ?? draft.values[name]))
    }
    setType(type)
    // Also for what was written before this script ran.
    keep(type)
  }, [])

  return {
    state,
    keep,
    keyOf,
    drop,
    remove() {
      dropDraft()
      setState('removed')
    },
  }
}

/** Only the contact page is drawn with it, but each page with the form may have it. */
function typeInAddress(types: readonly string[]): string | undefined {
  const named = new URLSearchParams(location.search).get('form')
  return types.find(type => type === named)
}

/** `randomUUID` is not there on plain http. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
