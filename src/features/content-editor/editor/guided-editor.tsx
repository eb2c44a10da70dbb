import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { ReadState, useReadFailure } from '../../../ui/list/list-states.tsx'
import { useCall } from '../../../ui/use-call.ts'
import { content, type OpenDocument } from '../contract.ts'
import type { Section } from '../forms/fields.ts'
import { Form } from '../forms/form.tsx'
import { DocumentFormProvider, focusField, OpenEditorProvider, useOpenEditor } from '../forms/form-context.ts'
import { firstSections } from '../forms/site-fields.ts'
import { ConflictSummary, ErrorSummary, UnsavedWarning } from './editor.tsx'
import { PublishButton, StatusLine, useIsTyped, usePublishing } from './editor-head.tsx'
import { useOpenDocument } from './use-open-document.ts'

/** A part of the site, for somebody who is led through it. What is typed saves itself, as in the editor. */
export function GuidedEditor({ part }: { part: keyof typeof firstSections }) {
  const sections = firstSections[part]
  return (
    <SiteEditor isHere={path => isIn(sections, path)}>
      <Form sections={sections} />
      <PublishLine />
    </SiteEditor>
  )
}

interface SiteEditorProps {
  /** Whether the field at a path is among the children. Others are in the editor of the whole site. */
  readonly isHere: (path: string) => boolean
  /** Above what is not ready. */
  readonly head?: ReactNode
  readonly children: ReactNode
}

/** The site document, open for the parts of its form that are children of this. */
export function SiteEditor(props: SiteEditorProps) {
  const list = useCall(content.list, { kind: 'site' })
  useReadFailure(list.error, FAILED)
  const id = list.data?.documents[0]?.id
  return id ? <OpenSite id={id} {...props} /> : <ReadState query={list} title={FAILED} />
}

const FAILED = 'Failed to fetch the site'

function OpenSite({ id, ...props }: SiteEditorProps & { id: string }) {
  // No old copy is shown, because what is typed starts from it.
  const query = useCall(content.open, { id }, { gcTime: 0, refetchOnWindowFocus: true })
  useReadFailure(query.error, FAILED)
  return query.data ? <Parts open={query.data} {...props} /> : <ReadState query={query} title={FAILED} />
}

function Parts({ open, isHere, head, children }: SiteEditorProps & { open: OpenDocument }) {
  const navigate = useNavigate()
  const { form, editor, errors, findings } = useOpenDocument(open, path => {
    if (isHere(path)) focusField(path)
    else navigate(`/content/${open.document.id}?field=${encodeURIComponent(path)}`)
  })
  return (
    <OpenEditorProvider value={editor}>
      <DocumentFormProvider value={form}>
        {head}
        <ErrorSummary errors={errors} findings={findings} />
        <ConflictSummary />
        {children}
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
  const { document } = useOpenEditor().open
  const isTyped = useIsTyped()
  return (
    <>
      <div className="line wrap between">
        <StatusLine isTyped={isTyped} />
        <PublishButton {...publishing} />
        {publishing.dialog}
      </div>
      {(isTyped || document.state === 'changed') && (
        <p className="quiet small">
          It is kept when you go on, and visitors do not see it yet. Publishing once, here or in a later step,
          covers what you have typed in all of them.
        </p>
      )}
    </>
  )
}
