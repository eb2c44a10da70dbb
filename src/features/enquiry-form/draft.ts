import { DRAFT } from './drop-draft.ts'
import type { FieldValues } from './form-texts.ts'

/** What is kept on the visitor's device until the enquiry is sent. Never the bot-check token. */
export interface Draft {
  readonly type: string
  readonly values: FieldValues
  /** The last content that was sent and its idempotency key: sent again after a crash, it is not stored twice. */
  readonly sent?: Sent | undefined
  /** When it was saved; milliseconds since 1970. */
  readonly at: number
}

export interface Sent {
  readonly content: string
  readonly key: string
}

/** Milliseconds, a week: devices are shared, and an older question has most likely been asked another way. */
const DRAFT_LIFETIME = 7 * 24 * 60 * 60 * 1000

/** Never throws: a browser may deny access to storage, and the stored value may be anything. */
export function readDraft(): Draft | null {
  try {
    const draft: Draft = JSON.parse(localStorage.getItem(DRAFT) ?? 'null')
    return typeof draft.values.message === 'string' && Date.now() - draft.at < DRAFT_LIFETIME ? draft : null
  } catch {
    return null
  }
}

/** @returns whether it was saved; a browser may deny access to storage. */
export function saveDraft(draft: Draft): boolean {
  try {
    localStorage.setItem(DRAFT, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}
