import type { ReturnsFocus } from '../../../ui/dialog.tsx'
import type { ListedFact } from '../contract-facts.ts'
import { FactPicker } from './fact-picker.tsx'
import { LinkDialog, type LinkText } from './link-dialog.tsx'

export interface EditorDialogProps extends ReturnsFocus {
  /** What is asked for: a link, or a fact in place of this one, which is null for none. */
  readonly asks: { readonly link: LinkText } | { readonly fact: string | null }
  readonly facts: readonly ListedFact[]
  /** @param text null leaves it */
  readonly onLink: (href: string, text: string | null) => void
  readonly onUnlink: () => void
  readonly onFact: (name: string) => void
  readonly onClose: () => void
}

/** Asks for a link or a fact. It is loaded with the form, to keep the editor small. */
export function EditorDialog({ asks, facts, onLink, onUnlink, onFact, ...dialog }: EditorDialogProps) {
  if ('link' in asks) return <LinkDialog link={asks.link} onSave={onLink} onRemove={onUnlink} {...dialog} />
  return <FactPicker facts={facts} chosen={asks.fact} onChoose={onFact} {...dialog} />
}
