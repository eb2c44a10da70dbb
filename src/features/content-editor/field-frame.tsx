import { type ReactNode, useId } from 'react'
import { ConflictAt } from './conflict-notice.tsx'
import type { Field } from './fields.ts'
import { errorAt, useDocumentForm } from './form-context.ts'
import { useNotes } from './use-notes.tsx'

export interface FieldProps<Of extends Field = Field> {
  readonly field: Of
  readonly path: string
  readonly value: unknown
}

interface ControlProps {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface FieldFrameProps extends Omit<FieldProps, 'value'> {
  /** What somebody who may not edit reads. */
  readonly text: string
  readonly children: (control: ControlProps) => ReactNode
}

/** The label, the hint and the error of one control. Without the permission to edit, there is the text instead. */
export function FieldFrame({ field, path, text, children }: FieldFrameProps) {
  const id = useId()
  const { errors, mayEdit } = useDocumentForm()
  const { control, notes } = useNotes(path, id, field.hint && `${id}hint`)
  if (!mayEdit) return <ReadOnly label={field.label} text={text} path={path} />
  return (
    <div className="field" data-field={path} data-invalid={errorAt(errors, path) ? '' : undefined}>
      <label htmlFor={id}>{field.label}</label>
      {field.hint && (
        <p className="field-hint" id={`${id}hint`}>
          {field.hint}
        </p>
      )}
      {children({ id, ...control })}
      {notes}
      <ConflictAt path={path} />
    </div>
  )
}

function ReadOnly({ label, text, path }: { label: string; text: string; path: string }) {
  return (
    <div className="field" data-field={path}>
      <p className="content-editor-label">{label}</p>
      <p className="content-editor-read">{text || '–'}</p>
    </div>
  )
}
