import { DRAFT } from './drop-draft.ts'
import { type FieldValues, fieldNames } from './form-texts.ts'

/** What is kept on the visitor's device until the enquiry is sent. Never the bot-check token. */
export interface Draft {
  readonly type: string
  readonly values: FieldValues
  /** The last content that was sent, and under which key: sent again after a crash, it is not stored twice. */
  readonly sent?: Sent | undefined
  /** When it was written; milliseconds. */
  readonly at: number
}

export interface Sent {
  readonly content: string
  readonly key: string
}

/** Milliseconds, a week: a device may be lent, and what is older has most likely been said otherwise. */
const KEPT_FOR = 7 * 24 * 60 * 60 * 1000

/** Never throws: a browser may refuse storage, and what is in it may be anything. */
export function readDraft(): Draft | null {
  try {
    const draft: Draft = JSON.parse(localStorage.getItem(DRAFT) ?? 'null')
    return fieldNames.every(name => typeof draft.values[name] === 'string') &&
      Date.now() - draft.at < KEPT_FOR
      ? draft
      : null
  } catch {
    return null
  }
}

/** @returns whether it is kept now; a browser may refuse. */
export function keepDraft(draft: Draft): boolean {
  try {
    localStorage.setItem(DRAFT, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}
