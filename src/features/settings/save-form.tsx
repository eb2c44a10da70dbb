import { type ReactNode, type RefObject, useRef } from 'react'
import { Button } from '../../ui/button.tsx'

interface SaveFormProps {
  readonly form: RefObject<HTMLFormElement | null>
  readonly className?: string
  readonly labelledBy?: string
  /** What the button says that saves. */
  readonly action: string
  /** What the button says that brings back what is saved. */
  readonly undo: string
  readonly isDirty: boolean
  readonly isBusy: boolean
  readonly onUndo: () => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}

/** A form that is saved by itself, while others of the screen are not. */
export function SaveForm({ form, className, labelledBy, isDirty, isBusy, ...props }: SaveFormProps) {
  const isIdle = !isDirty || isBusy
  return (
    <form
      ref={form}
      className={className}
      noValidate
      aria-busy={isBusy}
      aria-labelledby={labelledBy}
      onSubmit={event => {
        event.preventDefault()
        if (!isIdle) props.onSubmit()
      }}
    >
      {props.children}
      <div className="line wrap settings-actions">
        <button type="submit" className="button button-primary" aria-disabled={isIdle}>
          {isBusy ? 'Saving …' : props.action}
        </button>
        {isDirty && !isBusy && (
          <Button kind="quiet" onClick={props.onUndo}>
            {props.undo}
          </Button>
        )}
        <p className="field-hint" role="status">
          {isDirty ? 'Not saved yet' : ''}
        </p>
      </div>
    </form>
  )
}

/** @returns the ref of a form, and what moves the focus to its first error once that is rendered */
export function useFirstError() {
  const form = useRef<HTMLFormElement>(null)
  const focusFirstError = () => {
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  return { form, focusFirstError }
}
