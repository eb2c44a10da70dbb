import { createContext, use } from 'react'
import type { FormErrors } from '../../ui/form-errors.ts'
import type { GuardedClaim } from './claim-guard.ts'
import type { OpenDocument } from './contract.ts'
import type { ListedFact } from './contract-facts.ts'
import type { JsonObject } from './json.ts'
import type { Conflict } from './merge.ts'

/** What every field of the form needs. */
export interface DocumentForm {
  readonly body: JsonObject
  readonly mayEdit: boolean
  /** By path, as the server gives them. */
  readonly errors: FormErrors
  readonly conflicts: readonly Conflict[]
  /** What the claim check found in the draft, as far as it needs a look. */
  readonly claims: readonly GuardedClaim[]
  /** Those that can be chosen. */
  readonly facts: readonly ListedFact[]
  /** Those of this site that visitors can open. */
  readonly pages: OpenDocument['pages']
  /** Who else has changed the draft. */
  readonly otherEditor: string | null
  /** @param value undefined removes the field */
  change(path: string, value: unknown): void
  settle(conflict: Conflict, chosen: 'mine' | 'theirs'): void
}

const Context = createContext<DocumentForm | null>(null)
export const DocumentFormProvider = Context.Provider

export function useDocumentForm(): DocumentForm {
  const form = use(Context)
  if (!form) throw new Error('A field stands outside of the form')
  return form
}

/** The error of a field, or the first one of what is inside it. */
export function errorAt(errors: FormErrors, path: string): string | undefined {
  const inside = Object.keys(errors).find(each => each.startsWith(`${path}.`))
  return errors[path] ?? (inside && errors[inside])
}

/** The claims in a field, or in what is inside it. */
export function claimsAt(claims: readonly GuardedClaim[], path: string): readonly GuardedClaim[] {
  return claims.filter(each => each.path === path || each.path.startsWith(`${path}.`))
}
