import type { Level } from '../../content/claims/finding.ts'
import type { ContentDocument, DocumentState } from './contract.ts'

export const kindLabels: Record<ContentDocument['kind'], string> = {
  site: 'Site',
  page: 'Page',
  article: 'Article',
  visa: 'Visa',
}

export const stateLabels: Record<DocumentState, string> = {
  live: 'Live',
  changed: 'Live, with changes',
  scheduled: 'Scheduled',
  offline: 'Offline',
  deleted: 'Deleted',
}

const stateKinds: Record<DocumentState, string> = {
  live: 'plain',
  changed: 'strong',
  scheduled: 'warning',
  offline: 'quiet',
  deleted: 'quiet',
}

/** The state of a document, as a word; its colour only repeats it. */
export function StateBadge({ state }: { state: DocumentState }) {
  return (
    <span className="badge" data-kind={stateKinds[state]}>
      {stateLabels[state]}
    </span>
  )
}

/** What a finding of the claim check asks for. */
export const levelLabels: Record<Level, string> = {
  stop: 'Stop',
  reason: 'Needs a reason',
  hint: 'Hint',
}

const levelKinds: Record<Level, string | undefined> = { stop: 'danger', reason: 'warning', hint: undefined }

export function LevelBadge({ level }: { level: Level }) {
  return (
    <span className="badge" data-kind={levelKinds[level]}>
      {levelLabels[level]}
    </span>
  )
}
