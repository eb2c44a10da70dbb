import type { JsonObject } from './json.ts'

export interface HistoryPaneProps {
  readonly documentId: string
  readonly draft: JsonObject
  readonly live: JsonObject | null
  readonly mayEdit: boolean
  readonly onRestored: () => void
}

/** The place of the versions and what differs between them. */
export function HistoryPane({ live }: HistoryPaneProps) {
  return <p className="field-hint">{live ? 'The versions follow.' : 'No version is live.'}</p>
}
