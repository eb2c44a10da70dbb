import type { DocumentState } from './contract.ts'
import { stateLabels } from './labels.ts'

const badgeKinds: Record<DocumentState, string> = {
  live: 'plain',
  changed: 'strong',
  scheduled: 'warning',
  offline: 'quiet',
  deleted: 'quiet',
}

/** The state of a document, as a word; its colour only repeats it. */
export function StateBadge({ state }: { state: DocumentState }) {
  return (
    <span className="badge" data-kind={badgeKinds[state]}>
      {stateLabels[state]}
    </span>
  )
}
