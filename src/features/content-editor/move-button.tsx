interface MoveButtonProps {
  readonly label: string
  readonly icon: string
  /** Whether there is nothing that it could do. The button keeps the focus. */
  readonly isIdle: boolean
  readonly onClick: () => void
}

/** A button with a sign, whose name is read out and shown by the pointer. */
export function MoveButton({ label, icon, isIdle, onClick }: MoveButtonProps) {
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={label}
      title={label}
      aria-disabled={isIdle}
      onClick={() => {
        if (!isIdle) onClick()
      }}
    >
      <span aria-hidden="true">{icon}</span>
    </button>
  )
}
