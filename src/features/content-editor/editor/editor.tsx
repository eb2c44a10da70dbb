import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Finding } from '../../../content/claims/finding.ts'
import { fromStablePath } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import type { FormErrors } from '../../../ui/form/field.tsx'
import { LeaveWarning } from '../../../ui/form/leave-warning.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { SkeletonRows } from '../../../ui/list/list-states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { claimId } from '../claims/claim-findings.ts'
import type { OpenDocument } from '../contract.ts'
import { Form } from '../forms/form.tsx'
import {
  DocumentFormProvider,
  fieldOf,
  focusField,
  focusHistory,
  OpenEditorProvider,
  useDocumentForm,
  useOpenEditor,
} from '../forms/form-context.ts'
import { forms } from '../forms/forms.ts'
import { PageList } from '../inputs/inputs.tsx'
import { useRowReturn } from '../queries.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { EditorHead } from './editor-head.tsx'
import { useOpenDocument } from './use-open-document.ts'

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
        <PageList pages={open.pages} />
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

/** Says that somebody has to choose, and leads to the first such field. One that is no longer in the form stands here. */
export function ConflictSummary() {
  const { body, conflicts, otherEditor } = useDocumentForm()
  const { pick } = useOpenEditor()
  const paths = conflicts.map(({ path }) => fromStablePath(body, path))
  const first = paths.find(path => path !== null)
  if (conflicts.length === 0) return null
  return (
    <div className="callout snug content-editor-notice" data-kind="warning" role="alert">
      <p>
        {otherEditor ?? 'Somebody else'} changed{' '}
        {conflicts.length === 1 ? 'a field' : `${conflicts.length} fields`} that you changed too. Nothing is
        saved until you choose.{' '}
        {first && (
          <Button kind="link" onClick={() => pick(first)}>
            Choose
          </Button>
        )}
      </p>
      {conflicts
        .filter((_, at) => paths[at] === null)
        .map(conflict => (
          <ConflictNotice key={conflict.path} conflict={conflict} />
        ))}
    </div>
  )
}

interface ErrorSummaryProps {
  readonly errors: FormErrors
  readonly findings: readonly Finding[]
}

/** All that keeps the document from being published. Each line leads to its field. */
export function ErrorSummary({ errors, findings }: ErrorSummaryProps) {
  const { labelOf, pick } = useOpenEditor()
  const summary = useRef<HTMLDivElement>(null)
  const paths = Object.keys(errors)
  const hasErrors = paths.length > 0
  useEffect(() => {
    if (hasErrors) summary.current?.focus()
  }, [hasErrors])
  if (!hasErrors) return null
  const count = paths.length + findings.length
  const line = (key: string, path: string, text: string) => (
    <button
      key={key}
      type="button"
      className="button button-link content-editor-error"
      onClick={() => pick(path)}
    >
      {labelOf(path)}: {text}
    </button>
  )
  return (
    <div className="error-summary" role="alert" tabIndex={-1} ref={summary}>
      <p>
        <strong>
          Not ready: {count === 1 ? 'one thing is' : `${count} things are`} missing or must change.
        </strong>
      </p>
      {paths.map(path => line(path, path, errors[path] ?? ''))}
      {findings.map(finding => line(claimId(finding), finding.path, `“${finding.quote}”. ${finding.why}`))}
    </div>
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
