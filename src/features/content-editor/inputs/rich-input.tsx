import { queryOptions, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useRef } from 'react'
import { describeValue } from '../../../content/facts.ts'
import type { Block, Inline, Mark, RichText } from '../../../content/rich-text.ts'
import { Button } from '../../../ui/button.tsx'
import type { PlainField } from '../forms/fields.ts'
import { useDocumentForm } from '../forms/form-context.ts'
import { EditorDialog } from '../rich-text/editor-dialog.tsx'
import { isRichText, showValue } from '../rich-text/rich-text-lines.ts'
import { Toolbar } from '../rich-text/toolbar.tsx'
import { FieldFrame, type FieldProps } from './field-frame.tsx'

let failedUrl: string | undefined

/** Some browsers remember that a module could not be loaded: another address is another module. */
async function loadEditor() {
  try {
    const again = failedUrl && `${failedUrl}?again=${Date.now()}`
    const editor: typeof import('../rich-text/editor.tsx') = await (again
      ? import(/* @vite-ignore */ again)
      : import('../rich-text/editor.tsx'))
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
            Dialog={EditorDialog}
          />
        ) : (
          <>
            {/* As large as the editor, so that nothing moves when that is there. It passes its focus on. */}
            <div className="content-editor-rich">
              <div inert>
                <Toolbar label={field.label} controls={control.id} />
              </div>
              {/* biome-ignore lint/a11y/useSemanticElements: it holds headings and lists, which no input can */}
              <div
                {...control}
                ref={waiting}
                className="control content-editor-prose"
                role="textbox"
                aria-multiline="true"
                aria-readonly="true"
                aria-labelledby={labelId}
                tabIndex={0}
              >
                {shown}
              </div>
            </div>
            {isError && (
              <p className="field-error content-editor-unloaded" role="alert">
                The editor of this text could not be loaded. Nothing is lost.{' '}
                <Button kind="link" isIdle={isFetching} onClick={() => refetch()}>
                  Try again
                </Button>
              </p>
            )}
          </>
        )
      }
    </FieldFrame>
  )
}

/** Rich text for reading: for who may not edit it, and until its editor is loaded. It looks as in the editor. */
function RichTextView({ text }: { text: RichText }) {
  return text.content.map((block, at) => <BlockView key={keyOf(at)} block={block} />)
}

/** Nodes have no ids, and nothing here has a state. */
const keyOf = (at: number) => at

function BlockView({ block }: { block: Block }): ReactNode {
  if (block.type !== 'paragraph' && block.type !== 'heading') {
    const List = block.type === 'bullet_list' ? 'ul' : 'ol'
    return (
      <List>
        {block.content.map(({ content }, at) => (
          <li key={keyOf(at)}>
            {content.map((part, within) => (
              <BlockView key={keyOf(within)} block={part} />
            ))}
          </li>
        ))}
      </List>
    )
  }
  const Element = block.type === 'heading' ? (block.attrs.level === 2 ? 'h2' : 'h3') : 'p'
  // An empty paragraph is as high as a line.
  return <Element>{block.content?.length ? <Inlines inlines={block.content} /> : <br />}</Element>
}

function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return inlines.map((inline, at) => {
    const shown = inline.type === 'text' ? inline.text : <Chip name={inline.attrs.name} />
    return <Fragment key={keyOf(at)}>{(inline.marks ?? []).reduceRight<ReactNode>(withMark, shown)}</Fragment>
  })
}

function Chip({ name }: { name: string }) {
  const found = useDocumentForm().facts.find(each => each.name === name)
  return (
    <span className="content-editor-chip" data-gone={found ? undefined : ''}>
      {found ? describeValue(found.fact) : name}
    </span>
  )
}

/** A link leads nowhere here, as in the editor. */
function withMark(shown: ReactNode, { type }: Mark): ReactNode {
  if (type === 'strong') return <strong>{shown}</strong>
  return type === 'em' ? <em>{shown}</em> : <span className="content-editor-link">{shown}</span>
}
