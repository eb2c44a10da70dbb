import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { showToast } from '../../ui/toast.ts'
import type { ControlProps, FieldProps } from './field-frame.tsx'
import { FieldFrame } from './field-frame.tsx'
import type { PlainField } from './fields.ts'
import { useDocumentForm } from './form-context.ts'
import { EditorDialog } from './rich-text/editor-dialog.tsx'
import { Toolbar } from './rich-text/toolbar.tsx'
import { isRichText } from './rich-text-lines.ts'
import { RichTextView } from './rich-text-view.tsx'
import { showValue } from './show-value.ts'

let failedUrl: string | undefined

/** Some browsers remember that a module could not be loaded: another address is another module. */
async function loadEditor() {
  try {
    const again = failedUrl && `${failedUrl}?again=${Date.now()}`
    const editor: typeof import('./rich-text/editor.tsx') = await (again
      ? import(/* @vite-ignore */ again)
      : import('./rich-text/editor.tsx'))
    return editor.RichEditor
  } catch (error) {
    failedUrl ??= /https?:[^?\s]+/.exec(String(error))?.[0]
    throw error
  }
}

/** The code of the editor, which is loaded once and for documents with rich text only. */
const editorQuery = queryOptions({
  queryKey: ['content', 'rich text editor'],
  queryFn: loadEditor,
  ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY, networkMode: 'always' },
})

/** Rich text in its editor. While that is loaded, and without the permission to edit, it is shown for reading. */
export function RichInput({ field, path, value }: FieldProps<PlainField>) {
  const { change, facts, mayEdit } = useDocumentForm()
  const { data: RichEditor, isError, isFetching, refetch } = useQuery({ ...editorQuery, enabled: mayEdit })
  const waiting = useRef<HTMLDivElement>(null)
  const shown = isRichText(value) ? <RichTextView text={value} /> : showValue(value)
  return (
    <FieldFrame
      field={field}
      path={path}
      text={showValue(value) && <div className="content-editor-prose">{shown}</div>}
    >
      {(control, labelId) =>
        RichEditor ? (
          <RichEditor
            control={control}
            label={field.label}
            labelId={labelId}
            value={value}
            facts={facts}
            takesFocus={waiting.current !== null && waiting.current === document.activeElement}
            onChange={doc => change(path, doc)}
            onTooLong={sayTooLong}
            onTable={sayTable}
            Dialog={EditorDialog}
          />
        ) : (
          <>
            <WaitingText control={control} label={field.label} labelId={labelId} ref={waiting}>
              {shown}
            </WaitingText>
            {isError && (
              <p className="field-error content-editor-unloaded" role="alert">
                The editor of this text could not be loaded. Nothing is lost.{' '}
                <button
                  type="button"
                  className="button button-link"
                  aria-disabled={isFetching}
                  onClick={() => refetch()}
                >
                  Try again
                </button>
              </p>
            )}
          </>
        )
      }
    </FieldFrame>
  )
}

function sayTooLong() {
  showToast({
    title: 'Not Pasted',
    description: 'This is more than one text can hold. Paste it in parts.',
    kind: 'error',
  })
}

function sayTable() {
  showToast({
    title: 'Table Pasted as Text',
    description:
      'Each row is a line, with | between its cells. To keep the table, add the block Table and paste it into a cell.',
  })
}

interface WaitingTextProps {
  readonly control: ControlProps
  readonly label: string
  readonly labelId: string
  readonly ref: React.Ref<HTMLDivElement>
  readonly children: React.ReactNode
}

/** As large as the editor, so that nothing moves when that is there. It passes its focus on. */
function WaitingText({ control, label, labelId, ref, children }: WaitingTextProps) {
  return (
    <div className="content-editor-rich">
      <div inert>
        <Toolbar
          label={label}
          controls={control.id}
          icons={{}}
          stateOf={() => ({ isIdle: true })}
          onUse={() => {}}
          onLeave={() => {}}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: it holds headings and lists, which no input can */}
      <div
        {...control}
        ref={ref}
        className="control content-editor-prose"
        role="textbox"
        aria-multiline="true"
        aria-readonly="true"
        aria-labelledby={labelId}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  )
}
