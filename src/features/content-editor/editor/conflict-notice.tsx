import type { MouseEvent } from 'react'
import { isObject, toStablePath } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import { fieldOf, focusField, useDocumentForm } from '../forms/form-context.ts'
import { showValue } from '../rich-text/rich-text-lines.ts'
import type { Conflict } from './merge.ts'

type Show = (value: unknown) => string

/** A field that somebody else has changed too: their text, and the choice. Mine is in the field. */
export function ConflictNotice({ conflict, show = showValue }: { conflict: Conflict; show?: Show }) {
  const { otherEditor, settle } = useDocumentForm()
  const who = otherEditor ?? 'Somebody else'
  const isRemoved = conflict.theirs === undefined

  /** The button is gone then, so the focus goes to the field. */
  function choose(event: MouseEvent, side: 'mine' | 'theirs') {
    const path = fieldOf(event.currentTarget)
    settle(conflict, side)
    if (path) requestAnimationFrame(() => focusField(path))
  }

  return (
    <section className="snug content-editor-conflict" aria-label={`What ${who} wrote`}>
      <p>
        <strong>{isRemoved ? `${who} removed this.` : `${who} changed this too:`}</strong>
      </p>
      {!isRemoved && <blockquote>{show(conflict.theirs) || 'Nothing'}</blockquote>}
      <p className="line wrap content-editor-actions">
        <Button onClick={event => choose(event, 'mine')}>
          {conflict.mine === undefined ? 'Remove it' : 'Keep mine'}
        </Button>
        <Button onClick={event => choose(event, 'theirs')}>
          {isRemoved
            ? 'Remove it'
            : isObject(conflict.theirs) && conflict.mine === undefined
              ? 'Keep it'
              : 'Use theirs'}
        </Button>
      </p>
    </section>
  )
}

export function ConflictAt({ path, show = showValue }: { path: string; show?: Show }) {
  const { body, conflicts } = useDocumentForm()
  const conflict = conflicts.length > 0 && conflicts.find(each => each.path === toStablePath(body, path))
  return conflict && <ConflictNotice conflict={conflict} show={show} />
}
