import { type ReactNode, useId } from 'react'
import { toStablePath } from '../../../content/json.ts'
import { lazily } from '../../../ui/lazy-part.ts'
import { claimId } from '../claims/claim-findings.ts'
import type { Show } from '../editor/conflict-notice.tsx'
import type { Field } from '../forms/fields.ts'
import { claimsAt, errorAt, useDocumentForm } from '../forms/form-context.ts'
import { levelLabels } from '../labels.tsx'

export interface FieldProps<Of extends Field = Field> {
  readonly field: Of
  readonly path: string
  readonly value: unknown
}

export interface ControlProps {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface FieldFrameProps extends Omit<FieldProps, 'value'> {
  /** What somebody who may not edit reads. */
  readonly text: ReactNode
  /** `labelId` is for a control that is no element of a form. */
  readonly children: (control: ControlProps, labelId: string) => ReactNode
}

/** The label, the hint and the error of one control. Without the permission to edit, there is the text instead. */
export function FieldFrame({ field, path, text, children }: FieldFrameProps) {
  const id = useId()
  const { errors, mayEdit } = useDocumentForm()
  const { control, notes } = useNotes(path, id, field.hint && `${id}hint`)
  if (!mayEdit)
    return (
      <div className="field" data-field={path}>
        <p className="content-editor-label">{field.label}</p>
        <div className="break content-editor-read">{text || '–'}</div>
      </div>
    )
  return (
    <div className="field" data-field={path} data-invalid={errorAt(errors, path) ? '' : undefined}>
      <label htmlFor={id} id={`${id}label`}>
        {field.label}
      </label>
      {field.hint && (
        <p className="field-hint" id={`${id}hint`}>
          {field.hint}
        </p>
      )}
      {children({ id, ...control }, `${id}label`)}
      {notes}
      <ConflictAt path={path} />
    </div>
  )
}

interface Noted {
  readonly control: Omit<ControlProps, 'id'>
  /** What stands below the control. */
  readonly notes: ReactNode
}

/** The error of a field and the claims in it, which a screen reader reads with its control. @param hint the id of its hint */
export function useNotes(path: string, id: string, hint = ''): Noted {
  const { errors, claims } = useDocumentForm()
  const error = errorAt(errors, path)
  const found = claimsAt(claims, path)
  const [errorId, marksId] = [error ? `${id}error` : '', found.length > 0 ? `${id}claims` : '']
  const described = [hint, errorId, marksId].filter(Boolean).join(' ')
  return {
    control: { 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined },
    notes: (
      <>
        {error && (
          <p className="field-error" id={errorId}>
            {error}
          </p>
        )}
        {marksId && (
          <p className="small content-editor-mark" id={marksId}>
            {found.map(claim => (
              <span key={claimId(claim)}>
                <strong>{claim.isSample ? 'Sample' : levelLabels[claim.level]}</strong> “{claim.quote}”:{' '}
                {claim.why}
              </span>
            ))}
          </p>
        )}
      </>
    ),
  }
}

/** Few people ever see one. */
const ConflictNotice = lazily(async () => (await import('../editor/conflict-notice.tsx')).ConflictNotice)

/** What somebody else wrote in this field meanwhile. */
export function ConflictAt({ path, show }: { path: string; show?: Show }) {
  const { body, conflicts } = useDocumentForm()
  const conflict = conflicts.length > 0 && conflicts.find(each => each.path === toStablePath(body, path))
  return conflict && <ConflictNotice conflict={conflict} {...(show && { show })} />
}
