import type { MouseEvent } from 'react'
import { fromStablePath, isObject } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import { fieldOf, focusField, useDocumentForm, useOpenEditor } from '../forms/form-context.ts'
import { showValue } from '../rich-text/rich-text-lines.ts'
import type { Conflict } from './merge.ts'

export type Show = (value: unknown) => string

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

/** Says that somebody has to choose, and leads to the first such field. One that is no longer in the form stands here. */
export function ConflictSummary() {
  const { body, conflicts, otherEditor } = useDocumentForm()
  const { pick } = useOpenEditor()
  const paths = conflicts.map(({ path }) => fromStablePath(body, path))
  const first = paths.find(path => path !== null)
  if (conflicts.length === 0) return null
  return (
    <div className="callout snug content-editor-notice" data-kind="warning" role="alert">
      <p>
        {otherEditor ?? 'Somebody else'} changed{' '}
        {conflicts.length === 1 ? 'a field' : `${conflicts.length} fields`} that you changed too. Nothing is
        saved until you choose.{' '}
        {first && (
          <Button kind="link" onClick={() => pick(first)}>
            Choose
          </Button>
        )}
      </p>
      {conflicts
        .filter((_, at) => paths[at] === null)
        .map(conflict => (
          <ConflictNotice key={conflict.path} conflict={conflict} />
        ))}
    </div>
  )
}
