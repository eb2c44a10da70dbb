import { useNavigate } from 'react-router'
import { ReadState, useReadFailure } from '../../../ui/list/list-states.tsx'
import { useCall } from '../../../ui/use-call.ts'
import { content, type OpenDocument } from '../contract.ts'
import type { Section } from '../forms/fields.ts'
import { Form } from '../forms/form.tsx'
import { DocumentFormProvider, focusField, OpenEditorProvider } from '../forms/form-context.ts'
import { firstSections } from '../forms/site-fields.ts'
import { ConflictSummary, ErrorSummary, UnsavedWarning } from './editor.tsx'
import { PublishButton, StatusLine, useIsTyped, usePublishing } from './editor-head.tsx'
import { useOpenDocument } from './use-open-document.ts'

/** A part of the site, for somebody who is led through it. What is typed saves itself, as in the editor. */
export function GuidedEditor({ part }: { part: keyof typeof firstSections }) {
  const list = useCall(content.list, { kind: 'site' })
  useReadFailure(list.error, 'Failed to fetch the site')
  const id = list.data?.documents[0]?.id
  return id ? (
    <OpenSections id={id} sections={firstSections[part]} />
  ) : (
    <ReadState query={list} title="Failed to fetch the site" />
  )
}

function OpenSections({ id, sections }: { id: string; sections: readonly Section[] }) {
  // No old copy is shown, because what is typed starts from it.
  const query = useCall(content.open, { id }, { gcTime: 0, refetchOnWindowFocus: true })
  useReadFailure(query.error, 'Failed to fetch the site')
  if (query.data) return <Sections open={query.data} sections={sections} />
  return <ReadState query={query} title="Failed to fetch the site" />
}

function Sections({ open, sections }: { open: OpenDocument; sections: readonly Section[] }) {
  const navigate = useNavigate()
  const { form, editor, errors, findings } = useOpenDocument(open, path => {
    if (isIn(sections, path)) focusField(path)
    else navigate(`/content/${open.document.id}?field=${encodeURIComponent(path)}`)
  })
  return (
    <OpenEditorProvider value={editor}>
      <DocumentFormProvider value={form}>
        <ErrorSummary errors={errors} findings={findings} />
        <ConflictSummary />
        <Form sections={sections} />
        <PublishLine />
        <UnsavedWarning />
      </DocumentFormProvider>
    </OpenEditorProvider>
  )
}

/** What is not ready may be in a section that is not here, or in another part of a group. */
function isIn(sections: readonly Section[], path: string): boolean {
  const [first, second] = path.split('.')
  const field = sections.flatMap(({ fields }) => fields).find(({ name }) => name === first)
  return field?.type === 'group' ? field.fields.some(({ name }) => name === second) : field !== undefined
}

function PublishLine() {
  const publishing = usePublishing()
  return (
    <div className="line wrap between">
      <StatusLine isTyped={useIsTyped()} />
      <PublishButton {...publishing} />
      {publishing.dialog}
    </div>
  )
}
