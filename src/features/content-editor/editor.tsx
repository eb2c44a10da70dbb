import { useMemo, useRef, useState } from 'react'
import { useMayCall } from '../../portal/use-may-call.ts'
import type { FormErrors } from '../../ui/form-errors.ts'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { withValue } from './body-path.ts'
import { ConflictSummary } from './conflict-summary.tsx'
import { content, type OpenDocument } from './contract.ts'
import { EditorHead } from './editor-head.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { factNamesIn } from './fact-names.ts'
import { fieldOf, focusField } from './focus-field.ts'
import { Form } from './form.tsx'
import { type DocumentForm, DocumentFormProvider } from './form-context.ts'
import { describeField, forms } from './forms.ts'
import { HistoryPane } from './history-pane.tsx'
import type { JsonObject } from './json.ts'
import { Panes } from './panes.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { useEditorSession } from './use-editor-session.ts'

interface EditorProps {
  readonly open: OpenDocument
  readonly onRefresh: () => void
}

/** Everything about one document. What is typed saves itself; what visitors see changes when it is published. */
export function Editor({ open, onRefresh }: EditorProps) {
  const { document, live } = open
  const { session, state } = useEditorSession(open)
  const mayEdit = useMayCall()(content.saveDraft)
  const [errors, setErrors] = useState<FormErrors>({})
  const [field, setField] = useState<string | null>(null)
  const pane = useRef<(name: 'edit') => void>(() => {})
  const { body, conflicts, otherEditor } = state
  const facts = useMemo(() => factNamesIn(body), [body])

  const form: DocumentForm = {
    ...{ body, mayEdit, errors, conflicts, facts, otherEditor },
    change(path, value) {
      session.change(withValue(session.read().body, path, value))
      if (Object.keys(errors).length > 0) setErrors(withoutErrors(errors, path))
    },
    settle: session.settle,
  }

  /** On a narrow screen the form may be behind another tab. */
  function pick(path: string) {
    pane.current('edit')
    requestAnimationFrame(() => focusField(path))
  }

  return (
    <DocumentFormProvider value={form}>
      <EditorHead
        open={open}
        state={state}
        session={session}
        mayEdit={mayEdit}
        onErrors={setErrors}
        onPublished={() => {
          setErrors({})
          onRefresh()
        }}
      />
      <ErrorSummary kind={document.kind} body={body} errors={errors} onPick={pick} />
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
          <PreviewPane
            documentId={document.id}
            path={pathOf(document, body)}
            field={field}
            onPickField={pick}
            revision={state.revision}
          />
        }
        history={
          <HistoryPane
            documentId={document.id}
            draft={{ ...open.draft, body }}
            live={live}
            scheduled={open.scheduled}
            mayEdit={mayEdit}
            onRestored={onRefresh}
            labelOf={(path, of) => describeField(document.kind, of, path)}
          />
        }
      />
      <LeaveWarning
        isDirty={state.status !== 'saved'}
        question="Your last changes are not saved yet. If you leave now, they are lost."
        save={session.flush}
      />
    </DocumentFormProvider>
  )
}

/** The site document has the path of the home page. */
function pathOf({ path }: OpenDocument['document'], body: JsonObject): string {
  return typeof body.path === 'string' ? body.path : path
}

function withoutErrors(errors: FormErrors, path: string): FormErrors {
  const isOther = (each: string) => each !== path && !each.startsWith(`${path}.`)
  return Object.fromEntries(Object.entries(errors).filter(([each]) => isOther(each)))
}
