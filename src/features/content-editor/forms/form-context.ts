import { createContext, use } from 'react'
import type { Finding } from '../../../content/claims/finding.ts'
import type { JsonObject } from '../../../content/json.ts'
import type { FormErrors } from '../../../ui/form/field.tsx'
import type { Reasons } from '../claims/claim-findings.ts'
import type { GuardedClaim } from '../claims/claim-guard.ts'
import type { OpenDocument } from '../contract.ts'
import type { EditorSession, EditorState } from '../editor/editor-session.ts'
import type { Conflict } from '../editor/merge.ts'
import type { ListedFact } from '../facts/contract.ts'

export interface DocumentForm {
  readonly body: JsonObject
  readonly mayEdit: boolean
  /** By path, as the server gives them. */
  readonly errors: FormErrors
  readonly conflicts: readonly Conflict[]
  /** What the claim check found in the draft, as far as it needs a look. */
  readonly claims: readonly GuardedClaim[]
  readonly facts: readonly ListedFact[]
  /** Of the team that visitors see. */
  readonly people: OpenDocument['claims']['people']
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

/** The document that is open, for all that is beside its form. */
export interface OpenEditor {
  readonly open: OpenDocument
  readonly session: EditorSession
  readonly state: EditorState
  readonly mayEdit: boolean
  /** All that the claim check found in the draft. */
  readonly claims: readonly GuardedClaim[]
  /** For claims. They stay while somebody leaves a dialog to change another sentence. */
  readonly reasons: Reasons
  setReasons(reasons: Reasons): void
  /** Shows what keeps the draft from being published. */
  showErrors(errors: FormErrors, findings?: readonly Finding[]): void
  /** The name of the field at a path, in a body or else in the draft. */
  labelOf(path: string, body?: JsonObject): string
  /** Leads to a field of the form. */
  pick(path: string): void
}

const EditorContext = createContext<OpenEditor | null>(null)
export const OpenEditorProvider = EditorContext.Provider

export function useOpenEditor(): OpenEditor {
  const editor = use(EditorContext)
  if (!editor) throw new Error('A part stands outside of the editor')
  return editor
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

/** Milliseconds for which a field may still come, such as a table, whose code is loaded when one is shown. */
const STILL_COMES = 5000

/** Moves the focus to the field at a path of the body, or to the nearest part of the form around it until the field is there. */
export function focusField(path: string): void {
  focusNearest(path)
  const focused = document.activeElement
  if (find(path)) return
  const observer = new MutationObserver(() => {
    // Who has gone elsewhere meanwhile stays there.
    if (document.activeElement !== focused) return observer.disconnect()
    if (!find(path)) return
    observer.disconnect()
    focusNearest(path)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), STILL_COMES)
}

function focusNearest(path: string): void {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length--) {
    const found = find(parts.slice(0, length).join('.'))
    if (!found) continue
    openDetails(found)
    const control = found.matches(CONTROLS) ? found : found.querySelector<HTMLElement>(CONTROLS)
    chosenIn(control)?.focus({ preventScroll: true })
    found.scrollIntoView({ block: 'center' })
    return
  }
}

/** The buttons of a toolbar come before the text that they are for. */
const CONTROLS = 'input, textarea, select, summary, [role=textbox], button:not([role=toolbar] *)'

/** Of a group of radio buttons the one that is chosen, as with Tab. */
function chosenIn(control: HTMLElement | null): HTMLElement | null {
  if (!(control instanceof HTMLInputElement) || control.type !== 'radio') return control
  return control.closest('fieldset')?.querySelector<HTMLElement>('input:checked') ?? control
}

/** Of what is no field itself, such as a row of a table, the first field in it. */
function find(path: string): HTMLElement | null {
  const [own, inside] = [`[data-field="${CSS.escape(path)}"]`, `[data-field^="${CSS.escape(path)}."]`]
  return document.querySelector<HTMLElement>(own) ?? document.querySelector<HTMLElement>(inside)
}

function openDetails(element: Element) {
  // An item of a list is around what folds.
  const own = element.querySelector<HTMLDetailsElement>(':scope > details:not([data-menu])')
  if (own) own.open = true
  for (
    let parent = element.closest('details');
    parent;
    parent = parent.parentElement?.closest('details') ?? null
  )
    parent.open = true
}

/** Moves the focus to the history, whose versions may not be loaded yet. */
export function focusHistory(): void {
  document.querySelector<HTMLElement>('.content-editor-history')?.focus()
}

export function fieldOf(element: EventTarget): string | null {
  const found = element instanceof Element ? element.closest<HTMLElement>('[data-field]') : null
  return found?.dataset.field ?? null
}
