import { type KeyboardEvent, useId, useRef } from 'react'
import { ConflictAt } from './conflict-notice.tsx'
import { useDocumentForm } from './form-context.ts'
import { focusName, focusNames, nextFocus } from './picture-parts.ts'

/** What must stay visible where a picture is cropped: one of 5 × 5 fields over it. Arrow keys move in both directions. */
export function FocusInput({ path, value }: { path: string; value: number }) {
  const { change, mayEdit } = useDocumentForm()
  const name = useId()
  const group = useRef<HTMLFieldSetElement>(null)

  function handleKey(event: KeyboardEvent) {
    const next = event.altKey ? null : nextFocus(value, event.key)
    if (next === null || !mayEdit) return
    // A browser would go through them one by one.
    event.preventDefault()
    change(path, next)
    group.current?.querySelectorAll('input')[next - 1]?.focus()
  }

  return (
    <fieldset
      ref={group}
      className="content-editor-focus"
      aria-describedby={`${name}hint`}
      disabled={!mayEdit}
      onKeyDown={handleKey}
    >
      <legend className="visually-hidden">Focal point</legend>
      {focusNames.map((label, at) => (
        <input
          key={label}
          type="radio"
          name={name}
          aria-label={label}
          title={label}
          checked={value === at + 1}
          onChange={() => change(path, at + 1)}
        />
      ))}
      <span className="visually-hidden" id={`${name}hint`}>
        It stays visible where the picture is cropped.
      </span>
    </fieldset>
  )
}

/** The same in words, below the picture. */
export function FocusHint({ path, value }: { path: string; value: number }) {
  return (
    <>
      <p className="field-hint">
        Focal point: {focusName(value)}. What is there stays visible where the picture is cropped.
      </p>
      <ConflictAt path={path} show={focusName} />
    </>
  )
}
