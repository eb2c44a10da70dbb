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

/** What a finding of the claim check asks for. */
export const levelLabels: Record<Level, string> = {
  stop: 'Stop',
  reason: 'Needs a reason',
  hint: 'Hint',
}
