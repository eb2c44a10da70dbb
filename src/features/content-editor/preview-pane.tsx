export interface PreviewPaneProps {
  readonly documentId: string
  readonly path: string
  /** The field that is edited, to mark it. */
  readonly field: string | null
  readonly onPickField: (path: string) => void
  /** Of the stored draft: another one is another page. */
  readonly revision: number
}

/** The place of the real page of the draft. */
export function PreviewPane({ path }: PreviewPaneProps) {
  return <p className="field-hint">The preview of {path} follows.</p>
}
