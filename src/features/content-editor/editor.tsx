import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Finding } from '../../content/claims/finding.ts'
import { meQuery } from '../../portal/me-query.ts'
import { useMayCall } from '../../portal/use-may-call.ts'
import type { FormErrors } from '../../ui/form-errors.ts'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { SkeletonRows } from '../../ui/list-states.tsx'
import { without, withValue } from './body-path.ts'
import { claimId, type Reasons } from './claim-findings.ts'
import { ConflictSummary } from './conflict-summary.tsx'
import { content, type OpenDocument } from './contract.ts'
import type { ListedFact } from './contract-facts.ts'
import { EditorHead } from './editor-head.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { factsQuery } from './facts-queries.ts'
import { fieldOf, focusField, focusHistory } from './focus-field.ts'
import { Form } from './form.tsx'
import { type DocumentForm, DocumentFormProvider } from './form-context.ts'
import { describeField, forms } from './forms.ts'
import { PageList } from './inputs.tsx'
import { type PaneName, Panes } from './panes.tsx'
import { listPreviewPages } from './preview-pages.ts'
import { useRowReturn } from './row-return.ts'
import { useClaims } from './use-claims.ts'
import { useEditorSession } from './use-editor-session.ts'

const noFacts: readonly ListedFact[] = []

/** Most drafts wait for nobody. */
const ReviewBar = lazy(async () => ({ default: (await import('./review-bar.tsx')).ReviewBar }))
const ClaimPanel = lazy(async () => ({ default: (await import('./claim-panel.tsx')).ClaimPanel }))
/** The form does not wait for what stands beside it. */
const PreviewPane = lazy(async () => ({ default: (await import('./preview-pane.tsx')).PreviewPane }))
const HistoryPane = lazy(async () => ({ default: (await import('./history-pane.tsx')).HistoryPane }))

/** Everything about one document. What is typed saves itself; what visitors see changes when it is published. */
export function Editor({ open }: { open: OpenDocument }) {
  const { document, live } = open
  const { session, state } = useEditorSession(open)
  useRowReturn(document.id)
  const mayEdit = useMayCall()(content.saveDraft)
  const [errors, setErrors] = useState<FormErrors>({})
  /** The claims that keep the draft from being published, as the server found them. */
  const [blocking, setBlocking] = useState<readonly Finding[]>([])
  const [field, setField] = useState<string | null>(null)
  /** In the history: the number of a version; null for the draft. */
  const [chosen, setChosen] = useState<number | null>(null)
  const pane = useRef<(name: PaneName) => void>(() => {})
  const { body, conflicts } = state
  const { data: me } = useQuery(meQuery)
  const otherEditor = state.otherEditor === me?.name ? 'You, in another window,' : state.otherEditor
  const { data: facts = noFacts } = useQuery(factsQuery)
  const claims = useClaims(open, body, facts)
  const [reasons, setReasons] = useState<Reasons>({})
  const labelOf = (path: string, of: unknown = body) => describeField(document.kind, of, path)

  const form: DocumentForm = {
    ...{ body, mayEdit, errors, conflicts, facts, otherEditor },
    claims: claims.filter(({ kept, isSample }) => kept === null || isSample),
    change(path, value) {
      const { body } = session.read()
      session.change(value === undefined ? without(body, path) : withValue(body, path, value))
      if (Object.keys(errors).length > 0) setErrors(withoutErrors(errors, path))
    },
    settle: session.settle,
    pages: open.pages,
  }

  /** On a narrow screen the form may be behind another tab. */
  function pick(path: string) {
    pane.current('edit')
    requestAnimationFrame(() => focusField(path))
  }

  // The list of claims leads to fields.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address with which the screen opens counts
  useEffect(() => {
    const asked = new URLSearchParams(location.search).get('field')
    if (asked) pick(asked)
  }, [])

  function compare(number: number) {
    setChosen(number)
    pane.current('history')
    requestAnimationFrame(focusHistory)
  }

  return (
    <DocumentFormProvider value={form}>
      <EditorHead
        open={open}
        state={state}
        session={session}
        mayEdit={mayEdit}
        onErrors={(next, findings = []) => {
          setErrors(next)
          setBlocking(findings)
        }}
        claims={claims}
        reasons={reasons}
        onReasons={setReasons}
        onPick={pick}
      />
      {(open.review || open.declined) && (
        <Suspense>
          <ReviewBar
            documentId={document.id}
            document={open}
            revision={state.revision}
            mayEdit={mayEdit}
            onCompare={compare}
          />
        </Suspense>
      )}
      <ErrorSummary
        labelOf={labelOf}
        errors={errors}
        // Those that are no longer in the text have gone.
        findings={blocking.filter(finding => claims.some(claim => claimId(claim) === claimId(finding)))}
        onPick={pick}
      />
      <ConflictSummary onPick={pick} />
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
            <Suspense>
              <ClaimPanel
                claims={claims}
                hidesSamples={open.claims.hidesSamples}
                mayEdit={mayEdit}
                reasons={reasons}
                onReasons={setReasons}
                labelOf={labelOf}
                onPick={pick}
              />
            </Suspense>
            <Suspense fallback={<SkeletonRows count={3} />}>
              <PreviewPane
                documentId={document.id}
                pages={listPreviewPages(document)}
                field={field}
                claims={form.claims}
                onPickField={pick}
                revision={state.revision}
              />
            </Suspense>
          </>
        }
        history={
          <Suspense fallback={<SkeletonRows count={3} />}>
            <HistoryPane
              documentId={document.id}
              draft={{
                ...open.draft,
                ...(state.savedAt && { editedAt: state.savedAt, ...(me && { editedBy: me.name }) }),
                body,
              }}
              live={live}
              scheduled={open.scheduled}
              review={open.review}
              timeZone={open.timeZone}
              mayEdit={mayEdit}
              chosen={chosen}
              onChoose={setChosen}
              labelOf={labelOf}
            />
          </Suspense>
        }
      />
      <PageList pages={open.pages} />
      <LeaveWarning
        title="Unsaved changes"
        action="Leave without saving"
        isDirty={state.status !== 'saved'}
        question="Your last changes are not saved yet. If you leave now, they are lost."
        save={session.flush}
      />
    </DocumentFormProvider>
  )
}

function withoutErrors(errors: FormErrors, path: string): FormErrors {
  const isOther = (each: string) => each !== path && !each.startsWith(`${path}.`)
  return Object.fromEntries(Object.entries(errors).filter(([each]) => isOther(each)))
}
