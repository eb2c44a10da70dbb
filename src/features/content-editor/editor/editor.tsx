import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { LeaveWarning } from '../../../ui/form/leave-warning.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { SkeletonRows } from '../../../ui/list/list-states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import type { OpenDocument } from '../contract.ts'
import { Form } from '../forms/form.tsx'
import {
  DocumentFormProvider,
  fieldOf,
  focusField,
  focusHistory,
  OpenEditorProvider,
  useOpenEditor,
} from '../forms/form-context.ts'
import { forms } from '../forms/forms.ts'
import { useRowReturn } from '../last-opened.ts'
import { EditorHead } from './editor-head.tsx'
import { useOpenDocument } from './use-open-document.ts'

/** Nobody has any of these when a document opens. */
export const ErrorSummary = lazily(async () => (await import('./error-summary.tsx')).ErrorSummary)
export const ConflictSummary = lazily(async () => (await import('./conflict-notice.tsx')).ConflictSummary)
/** Most drafts wait for nobody. */
const ReviewBar = lazily(async () => (await import('../reviews/review-bar.tsx')).ReviewBar)
const ClaimPanel = lazily(async () => (await import('../claims/claim-panel.tsx')).ClaimPanel)
const threeRows = <SkeletonRows count={3} />
/** The form does not wait for what stands beside it. */
const PreviewPane = lazily(async () => (await import('../preview/preview-pane.tsx')).PreviewPane, threeRows)
const HistoryPane = lazily(async () => (await import('../history/history-pane.tsx')).HistoryPane, threeRows)

/** Everything about one document. What is typed saves itself; what visitors see changes when it is published. */
export function Editor({ open }: { open: OpenDocument }) {
  const { document } = open
  useRowReturn(document.id)
  const [field, setField] = useState<string | null>(null)
  /** In the history: the number of a version; null for the draft. */
  const [chosen, setChosen] = useState<number | null>(null)
  const pane = useRef<(name: PaneName) => void>(() => {})
  const { form, editor, errors, findings } = useOpenDocument(open, path => {
    // On a narrow screen the form may be behind another tab.
    pane.current('edit')
    requestAnimationFrame(() => focusField(path))
  })

  const [params] = useSearchParams()
  const linked = params.get('field')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link leads to a field once, however often the form is drawn
  useEffect(() => {
    if (linked) editor.pick(linked)
  }, [linked])

  function compare(number: number) {
    setChosen(number)
    pane.current('history')
    requestAnimationFrame(focusHistory)
  }

  return (
    <OpenEditorProvider value={editor}>
      <DocumentFormProvider value={form}>
        <EditorHead />
        {(open.review || open.declined) && <ReviewBar onCompare={compare} />}
        <ErrorSummary errors={errors} findings={findings} />
        <ConflictSummary />
        <Panes
          show={pane}
          edit={
            // biome-ignore lint/a11y/noStaticElementInteractions: it only hears where the focus is
            <div onFocus={event => setField(fieldOf(event.target) ?? field)}>
              <Form sections={forms[document.kind]} />
            </div>
          }
          preview={
            <>
              <ClaimPanel />
              <PreviewPane field={field} />
            </>
          }
          history={<HistoryPane chosen={chosen} onChoose={setChosen} />}
        />
        <UnsavedWarning />
      </DocumentFormProvider>
    </OpenEditorProvider>
  )
}

/** Asks before somebody leaves what is not saved yet. */
export function UnsavedWarning() {
  const { session, state } = useOpenEditor()
  return (
    <LeaveWarning
      title="Unsaved changes"
      action="Leave without saving"
      isDirty={state.status !== 'saved'}
      question="Your last changes are not saved yet. If you leave now, they are lost."
      save={session.flush}
    />
  )
}

const tabs = [
  { id: 'edit', label: 'Edit' },
  { id: 'preview', label: 'Preview' },
  { id: 'history', label: 'History' },
] as const
type PaneName = (typeof tabs)[number]['id']

/** From this width the three stand side by side. `content-editor.css` has the same. */
const WIDE = '(width >= 1024px)'

interface PanesProps extends Readonly<Record<PaneName, ReactNode>> {
  /** Gets the function that shows one of them. */
  readonly show: RefObject<(name: PaneName) => void>
}

/** Form, preview and history side by side, or on narrow screens one at a time. What is typed stays while another is open. */
function Panes({ show, ...panes }: PanesProps) {
  const isWide = useMedia(WIDE)
  const [current, setCurrent] = useState<PaneName>('edit')
  show.current = setCurrent
  const sections = tabs.map(({ id, label }) => (
    <section
      key={id}
      className={`content-editor-${id}`}
      aria-label={label}
      tabIndex={-1}
      hidden={!isWide && id !== current}
    >
      {panes[id]}
    </section>
  ))
  return (
    <div className={isWide ? undefined : 'content-editor-tabs'}>
      <Tabs
        label="Parts of the editor"
        tabs={tabs}
        current={current}
        onChoose={setCurrent}
        // What is open in the form stays so while the window becomes wider or narrower.
        flat={isWide ? 'content-editor-panes' : undefined}
      >
        {sections}
      </Tabs>
    </div>
  )
}
