import { type ComponentProps, type ReactNode, useId } from 'react'
import { CancelButton, Dialog } from '../dialog/dialog.tsx'

type FormDialogProps = Omit<ComponentProps<typeof Dialog>, 'actions' | 'role' | 'onKey'> & {
  /** Of the form. */
  readonly id?: string
  readonly className?: string
  /** What the button says that saves. */
  readonly action: string
  /** What it says meanwhile. */
  readonly busy?: string
  /** Whether there is something to save. */
  readonly isReady?: boolean
  /** Whether the keyboard passes over the button that saves. */
  readonly isDisabled?: boolean
  readonly onSubmit: () => void
  /** Above the form. */
  readonly before?: ReactNode
  /** Below the form. */
  readonly after?: ReactNode
  /** Buttons before Cancel. */
  readonly otherActions?: ReactNode
}

/** A dialog with a form, which Enter and its last button send. */
export function FormDialog({
  id,
  className,
  action,
  busy = 'Saving …',
  onSubmit,
  ...props
}: FormDialogProps) {
  const { isReady = true, isDisabled = false, before, after, otherActions, children, ...dialog } = props
  const ownId = useId()
  const form = id ?? ownId
  const { isBusy = false } = dialog
  const isIdle = isBusy || isDisabled || !isReady
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          {otherActions}
          <CancelButton />
          <button
            type="submit"
            form={form}
            className="button button-primary"
            disabled={isDisabled}
            aria-disabled={isIdle}
          >
            {isBusy ? busy : action}
          </button>
        </>
      }
    >
      {before}
      <form
        id={form}
        className={className}
        noValidate
        aria-busy={isBusy}
        onSubmit={event => {
          event.preventDefault()
          if (!isIdle) onSubmit()
        }}
      >
        {children}
      </form>
      {after}
    </Dialog>
  )
}
