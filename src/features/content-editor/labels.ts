import type { ContentDocument, DocumentState } from './contract.ts'

export const kindLabels: Record<ContentDocument['kind'], string> = {
  site: 'Site',
  page: 'Page',
  article: 'Article',
  visa: 'Visa',
}

export const stateLabels: Record<DocumentState, string> = {
  live: 'Live',
  changed: 'Changed',
  scheduled: 'Scheduled',
  offline: 'Offline',
  deleted: 'Deleted',
}
